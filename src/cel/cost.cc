#include "cel/cost.h"

#include <algorithm>

#include "cel/named_format.h"
#include "cel/network.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

uint64_t Tenth(uint64_t size) { return (size + 9) / 10; }
uint64_t Quarter(uint64_t size) { return (size + 3) / 4; }
bool IsText(const Value& v) { return v.is(Kind::kString) || v.is(Kind::kBytes); }

uint64_t Traversal(const Value& v, int depth = 0) {
  if (IsText(v)) return v.AsText().size() / 10;
  if (depth > 64 || (!v.is(Kind::kList) && !v.is(Kind::kMap))) return 1;
  uint64_t cost = 0;
  const size_t size = v.size();
  for (size_t i = 0; i < size; ++i) {
    if (v.is(Kind::kList)) {
      cost += Traversal(v.At(i), depth + 1);
      continue;
    }
    const auto [key, value] = v.EntryAt(i);
    cost += Traversal(key, depth + 1) + Traversal(value, depth + 1);
  }
  return cost;
}

uint64_t Smaller(const Value* args) { return Tenth(std::min(SizeOf(args[0]), SizeOf(args[1]))); }

uint64_t ContainsCidr(const Value* args) {
  const uint64_t size = SizeOf(args[0]);
  const uint64_t other = args[1].is(Kind::kString) ? Tenth(SizeOf(args[1])) : 0;
  return Tenth(2 * size) + Tenth(size) + 1 + other;
}

uint64_t Flattened(const Value* args, size_t count) {
  const int64_t levels = count < 2 ? 1 : args[1].is(Kind::kInt) ? args[1].AsInt() : 1;
  const uint64_t factor = levels < 0 ? 1 : static_cast<uint64_t>(std::min<int64_t>(levels, 1000));
  return 1 + kListCost + SizeOf(args[0]) * factor;
}

}  // namespace

uint64_t SizeOf(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
      return CountPoints(v.AsText());
    case Kind::kBytes:
      return v.AsText().size();
    case Kind::kList:
    case Kind::kMap:
      return v.size();
    case Kind::kOptional:
      return v.has_inner() ? SizeOf(v.inner()) : 1;
    case Kind::kIp:
      return v.As<IpBox>().is_v4 ? 4 : 16;
    case Kind::kCidr:
      return (static_cast<uint64_t>(v.As<CidrBox>().prefix) + 7) / 8;
    default:
      return 1;
  }
}

bool DependsOnOverload(CostRule rule) {
  return rule == CostRule::kText || rule == CostRule::kMembers || rule == CostRule::kSmaller ||
         rule == CostRule::kJoined || rule == CostRule::kSquare;
}

uint64_t CallCost(CostRule rule, const Value* args, size_t count, const Value& result) {
  switch (rule) {
    case CostRule::kFree:
      return 0;
    case CostRule::kOne:
      return 1;
    case CostRule::kFirst:
      return Tenth(SizeOf(args[0]));
    case CostRule::kSecond:
      return Tenth(SizeOf(args[1]));
    case CostRule::kFirstTwice:
      return Tenth(2 * SizeOf(args[0]));
    case CostRule::kResultTwice:
      return Tenth(2 * SizeOf(result));
    case CostRule::kSmaller:
      return Smaller(args);
    case CostRule::kEquality:
      return args[0].kind() >= Kind::kQuantity ? 1 : Smaller(args);
    case CostRule::kJoined:
      return IsText(args[0]) ? Tenth(SizeOf(args[0]) + SizeOf(args[1])) : 1;
    case CostRule::kText:
      return IsText(args[0]) && args[0].kind() != result.kind() ? Tenth(SizeOf(args[0])) : 1;
    case CostRule::kContains:
      return Tenth(SizeOf(args[0])) * Tenth(SizeOf(args[1]));
    case CostRule::kPattern:
      return Tenth(1 + SizeOf(args[0])) * Quarter(SizeOf(args[1]));
    case CostRule::kTraversal:
      return Traversal(args[0]);
    case CostRule::kMembers:
      return args[1].is(Kind::kList) ? SizeOf(args[1]) : 1;
    case CostRule::kNewList:
      return 1 + kListCost + (result.is(Kind::kList) ? result.size() : 0);
    case CostRule::kFlattened:
      return Flattened(args, count);
    case CostRule::kSquare:
      return 1 + kListCost + 2 * SizeOf(args[0]) * SizeOf(args[0]);
    case CostRule::kPairs:
      return 1 + SizeOf(args[0]) * SizeOf(args[1]);
    case CostRule::kPairsTwice:
      return 1 + 2 * SizeOf(args[0]) * SizeOf(args[1]);
    case CostRule::kContainsIp:
      return Tenth(2 * SizeOf(args[0])) + (args[1].is(Kind::kString) ? Tenth(SizeOf(args[1])) : 0);
    case CostRule::kContainsCidr:
      return ContainsCidr(args);
    case CostRule::kAccess:
      return kAccessCost;
    case CostRule::kNamedFormat:
      return Tenth(1 + SizeOf(args[1])) * args[0].As<NamedFormatBox>().pattern_cost;
  }
  return 1;
}

}  // namespace kueue::cel
