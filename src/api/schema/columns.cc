#include "api/codec/json_text.h"
#include "api/schema/columns_built_in.h"
#include "api/schema/kind.h"
#include "base/time.h"

namespace kueue::api {
namespace {

using Found = std::vector<const Json*>;

// A column's JSONPath, applied step by step: each step takes what the one before has found.
class PathReader {
 public:
  explicit PathReader(std::string_view path) : rest_(path) {
    if (!rest_.empty() && rest_.front() == '{') rest_.remove_prefix(1);
    if (!rest_.empty() && rest_.back() == '}') rest_.remove_suffix(1);
    if (!rest_.empty() && rest_.front() == '$') rest_.remove_prefix(1);
  }

  Found Read(const Json& object) {
    Found found = {&object};
    while (!rest_.empty() && !found.empty()) {
      if (rest_.front() == '[') {
        found = Bracket(found);
      } else {
        if (rest_.front() == '.') rest_.remove_prefix(1);
        found = Member(found, TakeUntil(".["));
      }
    }
    return found;
  }

 private:
  std::string_view TakeUntil(std::string_view stops) {
    const size_t end = std::min(rest_.find_first_of(stops), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return text;
  }

  static Found Member(const Found& from, std::string_view name) {
    Found found;
    for (const Json* value : from) {
      if (const Json* member = value->Find(name)) found.push_back(member);
    }
    return found;
  }

  static std::string_view Unquoted(std::string_view text) {
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) {
      return text.substr(1, text.size() - 2);
    }
    return text;
  }

  Found Bracket(const Found& from) {
    const size_t close = rest_.find(']');
    if (close == std::string_view::npos) {
      rest_ = {};
      return {};
    }
    const std::string_view inside = rest_.substr(1, close - 1);
    rest_.remove_prefix(close + 1);
    if (inside == "*") return Entries(from);
    if (!inside.empty() && inside.front() == '?') return Filter(from, inside);
    if (!inside.empty() && (inside.front() == '\'' || inside.front() == '"')) {
      return Member(from, Unquoted(inside));
    }
    Found found;
    size_t index = 0;
    for (const char c : inside) {
      if (c < '0' || c > '9' || index > 1000000) return {};
      index = index * 10 + static_cast<size_t>(c - '0');
    }
    for (const Json* value : from) {
      if (value->IsArray() && index < value->size()) found.push_back(&value->AsArray()[index]);
    }
    return found;
  }

  static Found Entries(const Found& from) {
    Found found;
    for (const Json* value : from) {
      if (value->IsArray()) {
        for (const Json& item : value->AsArray()) found.push_back(&item);
      } else if (value->IsObject()) {
        for (const Json::Member& member : value->AsObject()) found.push_back(&member.value);
      }
    }
    return found;
  }

  // ?(@.type=='Admitted')
  static Found Filter(const Found& from, std::string_view inside) {
    const size_t open = inside.find("@.");
    const size_t equal = inside.find("==");
    const size_t close = inside.rfind(')');
    if (open == std::string_view::npos || equal == std::string_view::npos ||
        close == std::string_view::npos || equal < open + 2 || close < equal + 2) {
      return {};
    }
    const std::string_view name = inside.substr(open + 2, equal - open - 2);
    const std::string_view text = Unquoted(inside.substr(equal + 2, close - equal - 2));
    Found found;
    for (const Json* item : Entries(from)) {
      const Json* member = item->Find(name);
      if (member && member->IsString() && member->AsString() == text) found.push_back(item);
    }
    return found;
  }

  std::string_view rest_;
};

std::string TextOf(const Json& value) {
  if (value.IsString()) return value.AsString();
  if (value.IsNumber()) return value.NumberText();
  if (value.IsBool()) return value.AsBool() ? "true" : "false";
  return WriteJson(value);
}

std::string AgeOf(const Json& value, Time now, std::string_view otherwise) {
  if (!value.IsString()) return std::string(otherwise);
  const auto time = base::ParseTime(value.AsString());
  if (!time.ok()) return std::string(otherwise);
  return base::FormatAge(now - *time);
}

// A value of another type than the column's leaves the cell empty.
Json CellOf(const PrinterColumn& column, const Json& object, Time now) {
  const Found found = PathReader(column.json_path).Read(object);
  if (found.empty() || found.front()->IsNull()) return nullptr;
  const Json& value = *found.front();
  if (column.type == "date") return AgeOf(value, now, "<unknown>");
  if (column.type == "string") return TextOf(value);
  if (column.type == "boolean") return value.IsBool() ? value : Json();
  if (column.type == "integer") return value.IsInt() ? value : Json();
  return value.IsNumber() ? value : Json();
}

std::vector<PrinterColumn> ColumnsOf(const KindInfo& kind) {
  if (!kind.custom_resource || !kind.columns.empty()) return kind.columns;
  return {{"Age", "date", ".metadata.creationTimestamp"}};
}

}  // namespace

std::string AgeAt(const Json& object, std::initializer_list<std::string_view> path, Time now,
                  std::string_view otherwise) {
  const Json* value = object.FindPath(path);
  return value ? AgeOf(*value, now, otherwise) : std::string(otherwise);
}

std::vector<TableColumn> TableColumns(const KindInfo& kind) {
  std::vector<TableColumn> columns;
  if (kind.custom_resource) columns.push_back({"Name", "string", "name", 0});
  for (const PrinterColumn& column : ColumnsOf(kind)) {
    // The name of a subresource's body is no name of a resource.
    const bool is_name = !kind.custom_resource && !kind.plural.empty() && column.name == "Name";
    columns.push_back({std::string(column.name), std::string(column.type),
                       is_name ? "name" : std::string(column.format), column.priority});
  }
  return columns;
}

std::vector<Json> TableCells(const KindInfo& kind, const Json& object, Time now) {
  if (kind.row) return kind.row(object, now);
  if (!kind.custom_resource) {
    return {object.StringAt({"metadata", "name"}),
            object.StringAt({"metadata", "creationTimestamp"})};
  }
  std::vector<Json> cells = {object.StringAt({"metadata", "name"})};
  for (const PrinterColumn& column : ColumnsOf(kind)) cells.push_back(CellOf(column, object, now));
  return cells;
}

std::string JsonPathText(const Json& object, std::string_view path) {
  std::string text;
  bool first = true;
  for (const Json* value : PathReader(path).Read(object)) {
    if (!first) text += ',';
    first = false;
    if (!value->IsNull()) text += TextOf(*value);
  }
  return text;
}

}  // namespace kueue::api
