#include "api/merge/managed_fields.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/codec/json_text.h"

namespace kueue::api {

namespace {

int64_t SecondsOf(const ManagedEntry& entry) {
  if (!entry.time) return 0;
  return std::chrono::floor<std::chrono::seconds>(*entry.time).time_since_epoch().count();
}

auto OrderOf(const ManagedEntry& entry) {
  return std::make_tuple(!entry.applied, SecondsOf(entry), std::string_view(entry.manager),
                         std::string_view(entry.api_version), std::string_view(entry.subresource));
}

void AppendMember(const char* name, const std::string& value, std::string& out) {
  if (value.empty()) return;
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":";
  out += WriteJson(Json(value));
}

base::Result<ManagedEntry> DecodeEntry(const Json& json) {
  ManagedEntry entry;
  const std::string operation = json.StringAt({"operation"});
  if (operation != "Apply" && operation != "Update") {
    return base::Invalid("operation must be Apply or Update");
  }
  entry.applied = operation == "Apply";
  entry.manager = json.StringAt({"manager"});
  entry.api_version = json.StringAt({"apiVersion"});
  entry.subresource = json.StringAt({"subresource"});
  if (entry.api_version.empty()) return base::Invalid("apiVersion must not be empty");
  if (json.StringAt({"fieldsType"}) != "FieldsV1") {
    return base::Invalid("fieldsType must be FieldsV1");
  }
  const std::string time = json.StringAt({"time"});
  if (!time.empty()) {
    const auto parsed = base::ParseTime(time);
    if (!parsed.ok()) return parsed.error();
    entry.time = base::CutToSeconds(*parsed);
  }
  const Json* fields = json.Find("fieldsV1");
  auto set = DecodeFields(fields != nullptr && !fields->IsNull() ? *fields : Json::MakeObject());
  if (!set.ok()) return set.error();
  entry.set_fields(std::move(*set));
  return entry;
}

}  // namespace

const std::string& OwnedFields::Text() const {
  if (text_.empty()) AppendFieldsText(set_, text_);
  return text_;
}

bool ManagedEntry::SameOwner(const ManagedEntry& other) const {
  return manager == other.manager && applied == other.applied && subresource == other.subresource &&
         (applied || api_version == other.api_version);
}

void SortManagedFields(ManagedFields& managed) {
  std::stable_sort(
      managed.begin(), managed.end(),
      [](const ManagedEntry& a, const ManagedEntry& b) { return OrderOf(a) < OrderOf(b); });
}

ManagedEntry* FindOwner(ManagedFields& managed, const ManagedEntry& owner) {
  for (ManagedEntry& entry : managed) {
    if (entry.SameOwner(owner)) return &entry;
  }
  return nullptr;
}

const ManagedEntry* FindOwner(const ManagedFields& managed, const ManagedEntry& owner) {
  for (const ManagedEntry& entry : managed) {
    if (entry.SameOwner(owner)) return &entry;
  }
  return nullptr;
}

bool SameOwnership(const ManagedFields& a, const ManagedFields& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ManagedEntry& x, const ManagedEntry& y) {
                      return x.SameOwner(y) && x.api_version == y.api_version &&
                             (x.fields == y.fields || x.set() == y.set());
                    });
}

std::string ManagedFieldsText(const ManagedFields& managed) {
  std::string out = "[";
  for (const ManagedEntry& entry : managed) {
    if (out.size() > 1) out += ',';
    out += '{';
    AppendMember("manager", entry.manager, out);
    AppendMember("operation", entry.applied ? "Apply" : "Update", out);
    AppendMember("apiVersion", entry.api_version, out);
    if (entry.time) AppendMember("time", base::FormatTime(*entry.time), out);
    out += ",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":";
    out += entry.fields->Text();
    AppendMember("subresource", entry.subresource, out);
    out += '}';
  }
  out += ']';
  return out;
}

Json EncodeManagedFields(const ManagedFields& managed) {
  Json list = Json::MakeArray();
  for (const ManagedEntry& entry : managed) {
    Json json = Json::MakeObject();
    if (!entry.manager.empty()) json.Set("manager", entry.manager);
    json.Set("operation", entry.applied ? "Apply" : "Update");
    json.Set("apiVersion", entry.api_version);
    if (entry.time) json.Set("time", base::FormatTime(*entry.time));
    json.Set("fieldsType", "FieldsV1");
    json.Set("fieldsV1", EncodeFields(entry.set()));
    if (!entry.subresource.empty()) json.Set("subresource", entry.subresource);
    list.Append(std::move(json));
  }
  return list;
}

base::Result<ManagedFields> DecodeManagedFields(const Json* list) {
  ManagedFields managed;
  if (list == nullptr || list->IsNull()) return managed;
  if (!list->IsArray()) return base::Invalid("managedFields must be a list");
  for (const Json& json : list->AsArray()) {
    auto entry = DecodeEntry(json);
    if (!entry.ok()) return entry.error();
    // Of two entries of one owner the later one counts.
    if (ManagedEntry* before = FindOwner(managed, *entry)) {
      *before = std::move(*entry);
    } else {
      managed.push_back(std::move(*entry));
    }
  }
  SortManagedFields(managed);
  return managed;
}

bool ResetsManagedFields(const Json* list) {
  if (list == nullptr || !list->IsArray()) return false;
  const Json::Array& entries = list->AsArray();
  if (entries.empty()) return true;
  const auto blank = [](const Json::Member& member) {
    return member.value.IsNull() || (member.value.IsString() && member.value.AsString().empty());
  };
  return entries.size() == 1 && entries[0].IsObject() &&
         std::all_of(entries[0].AsObject().begin(), entries[0].AsObject().end(), blank);
}

}  // namespace kueue::api
