// int(), string(), timestamp() and the like.
#include <fmt/format.h>

#include <cmath>

#include "cel/catalogue.h"
#include "cel/moment.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

Value BadText(std::string_view wanted) {
  return Value::Error(fmt::format("type conversion error from 'string' to '{}'", wanted));
}
Value NoOverload(const Call& call) {
  return Value::Error(fmt::format("no such overload: {}({})", call.function, call[0].TypeText()));
}

Value ToBool(const Call& call) {
  if (call[0].is(Kind::kBool)) return call[0];
  if (!call[0].is(Kind::kString)) return NoOverload(call);
  const std::string_view text = call[0].AsText();
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return Value::Bool(true);
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return Value::Bool(false);
  return BadText("bool");
}

Value ToInt(const Call& call) {
  const Value& v = call[0];
  switch (v.kind()) {
    case Kind::kInt:
      return v;
    case Kind::kUint:
      if (v.AsUint() > static_cast<uint64_t>(INT64_MAX)) return Value::Error("integer overflow");
      return Value::Int(static_cast<int64_t>(v.AsUint()));
    case Kind::kDouble:
      if (!(v.AsDouble() > -9223372036854775808.0 && v.AsDouble() < 9223372036854775808.0))
        return Value::Error("integer overflow");
      return Value::Int(static_cast<int64_t>(v.AsDouble()));
    case Kind::kDuration:
      return Value::Int(v.AsNanoseconds());
    case Kind::kTimestamp:
      return Value::Int(v.AsSeconds());
    case Kind::kString: {
      int64_t number = 0;
      return ReadInt(v.AsText(), &number) ? Value::Int(number) : BadText("int");
    }
    default:
      return NoOverload(call);
  }
}

Value ToUint(const Call& call) {
  const Value& v = call[0];
  switch (v.kind()) {
    case Kind::kUint:
      return v;
    case Kind::kInt:
      if (v.AsInt() < 0) return Value::Error("unsigned integer overflow");
      return Value::Uint(static_cast<uint64_t>(v.AsInt()));
    case Kind::kDouble:
      if (!(v.AsDouble() >= 0 && v.AsDouble() < 18446744073709551616.0))
        return Value::Error("unsigned integer overflow");
      return Value::Uint(static_cast<uint64_t>(v.AsDouble()));
    case Kind::kString: {
      uint64_t number = 0;
      return ReadUint(v.AsText(), &number) ? Value::Uint(number) : BadText("uint");
    }
    default:
      return NoOverload(call);
  }
}

Value ToDouble(const Call& call) {
  const Value& v = call[0];
  switch (v.kind()) {
    case Kind::kDouble:
      return v;
    case Kind::kInt:
      return Value::Double(static_cast<double>(v.AsInt()));
    case Kind::kUint:
      return Value::Double(static_cast<double>(v.AsUint()));
    case Kind::kString: {
      double number = 0;
      return ReadDouble(v.AsText(), &number) ? Value::Double(number) : BadText("double");
    }
    default:
      return NoOverload(call);
  }
}

Value ToString(const Call& call) {
  const Value& v = call[0];
  switch (v.kind()) {
    case Kind::kString:
      return v;
    case Kind::kBool:
      return Value::BorrowedString(v.AsBool() ? "true" : "false");
    case Kind::kInt:
      return Value::String(std::to_string(v.AsInt()));
    case Kind::kUint:
      return Value::String(std::to_string(v.AsUint()));
    case Kind::kDouble:
      return Value::String(DoubleText(v.AsDouble()));
    case Kind::kBytes:
      if (!IsValidUtf8(v.AsText()))
        return Value::Error("invalid UTF-8 in bytes, cannot convert to string");
      return Value::String(std::string(v.AsText()));
    case Kind::kDuration:
      return Value::String(DurationText(v.AsNanoseconds()));
    case Kind::kTimestamp:
      return Value::String(TimestampText(v));
    case Kind::kIp:
    case Kind::kCidr:
      return {};
    default:
      return NoOverload(call);
  }
}

Value ToBytes(const Call& call) {
  if (call[0].is(Kind::kBytes)) return call[0];
  if (!call[0].is(Kind::kString)) return NoOverload(call);
  return Value::Bytes(std::string(call[0].AsText()));
}

Value ToTimestamp(const Call& call) {
  const Value& v = call[0];
  if (v.is(Kind::kTimestamp)) return v;
  if (v.is(Kind::kString)) return ReadTimestamp(v.AsText());
  if (!v.is(Kind::kInt)) return NoOverload(call);
  if (v.AsInt() < kFirstSecond || v.AsInt() > kLastSecond)
    return Value::Error("timestamp overflow");
  return Value::Timestamp(v.AsInt(), 0);
}

Value ToDuration(const Call& call) {
  if (call[0].is(Kind::kDuration)) return call[0];
  return call[0].is(Kind::kString) ? ReadDuration(call[0].AsText()) : NoOverload(call);
}

Value ToDyn(const Call& call) { return call[0]; }
Value ToType(const Call& call) { return Value::TypeName(call[0].TypeText()); }

Value Size(const Call& call) {
  const Value& v = call[0];
  switch (v.kind()) {
    case Kind::kString:
      return Value::Int(static_cast<int64_t>(CountPoints(v.AsText())));
    case Kind::kBytes:
      return Value::Int(static_cast<int64_t>(v.AsText().size()));
    case Kind::kList:
    case Kind::kMap:
      return Value::Int(static_cast<int64_t>(v.size()));
    default:
      return Value::Error("no such overload: size");
  }
}

}  // namespace

std::vector<FunctionRow> ConversionFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> size = {"(string) int", "(bytes) int", "(list<A>) int",
                                         "(map<A, B>) int"};
  return {
      {"bool", false, one, ToBool, {"(bool) bool", "(string) bool"}},
      {"int",
       false,
       one,
       ToInt,
       {"(int) int", "(double) int", "(duration) int", "(string) int", "(timestamp) int",
        "(uint) int"}},
      {"uint", false, one, ToUint, {"(uint) uint", "(double) uint", "(int) uint", "(string) uint"}},
      {"double",
       false,
       one,
       ToDouble,
       {"(double) double", "(int) double", "(string) double", "(uint) double"}},
      {"string",
       false,
       CostRule::kText,
       ToString,
       {"(string) string", "(bool) string", "(bytes) string", "(double) string",
        "(duration) string", "(int) string", "(timestamp) string", "(uint) string"}},
      {"bytes", false, CostRule::kText, ToBytes, {"(bytes) bytes", "(string) bytes"}},
      {"timestamp",
       false,
       one,
       ToTimestamp,
       {"(timestamp) timestamp", "(int) timestamp", "(string) timestamp"}},
      {"duration", false, one, ToDuration, {"(duration) duration", "(string) duration"}},
      {"dyn", false, one, ToDyn, {"(A) dyn"}},
      {"type", false, one, ToType, {"(A) type<A>"}},
      {"size", false, one, Size, size},
      {"size", true, one, Size, size},
  };
}

}  // namespace kueue::cel
