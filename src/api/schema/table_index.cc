#include "api/schema/table_index.h"

#include <re2/re2.h>

#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "api/codec/json_text.h"
#include "api/schema/configuration.h"
#include "api/schema/kind.h"
#include "base/check.h"

namespace kueue::api {
namespace {

struct TableIndex {
  std::unordered_map<std::string_view, std::unique_ptr<RE2>> patterns;
  std::unordered_map<const FieldDescriptor*, Json> defaults;
  std::set<const StructDescriptor*> seen;

  void Add(const StructDescriptor& table) {
    if (!seen.insert(&table).second) return;
    for (const FieldDescriptor& field : table.fields) {
      AddField(field, table);
      if (const StructDescriptor* inner = field.ops->Struct()) Add(*inner);
    }
  }

  void AddField(const FieldDescriptor& field, const StructDescriptor& table) {
    const std::string where = std::string(table.name) + "." + std::string(field.json_name);
    AddPattern(field.pattern, where);
    AddPattern(field.item.pattern, where);
    if (!field.default_json.empty()) {
      auto value = ParseJson(field.default_json);
      KUEUE_CHECK_MSG(value.ok(), where + ": bad default");
      defaults[&field] = std::move(value).value();
    }
  }

  void AddPattern(std::string_view text, const std::string& where) {
    if (text.empty() || patterns.count(text)) return;
    RE2::Options options;
    options.set_log_errors(false);
    auto pattern = std::make_unique<RE2>(re2::StringPiece(text.data(), text.size()), options);
    KUEUE_CHECK_MSG(pattern->ok(), where + ": bad pattern: " + pattern->error());
    patterns[text] = std::move(pattern);
  }
};

const TableIndex& Index() {
  static const TableIndex* const index = [] {
    auto* made = new TableIndex;
    for (const KindInfo* kind : AllKinds()) made->Add(*kind->table);
    for (const KindInfo* kind : RequestKinds()) made->Add(*kind->table);
    for (const KindInfo* kind : ConfigurationKinds()) made->Add(*kind->table);
    return made;
  }();
  return *index;
}

}  // namespace

bool PatternMatches(std::string_view pattern, std::string_view text) {
  const auto it = Index().patterns.find(pattern);
  KUEUE_CHECK(it != Index().patterns.end());
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *it->second);
}

const Json* DefaultOf(const FieldDescriptor& field) {
  if (field.default_json.empty()) return nullptr;
  const auto it = Index().defaults.find(&field);
  return it == Index().defaults.end() ? nullptr : &it->second;
}

}  // namespace kueue::api
