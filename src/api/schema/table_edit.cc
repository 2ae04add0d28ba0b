#include "api/schema/table_edit.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace kueue::api {

FieldDescriptor& TableEditor::At(std::string_view name) {
  const auto it = std::find_if(table_.fields.begin(), table_.fields.end(),
                               [&](const FieldDescriptor& f) { return f.json_name == name; });
  KUEUE_CHECK_MSG(it != table_.fields.end(), "no field " + std::string(name));
  return *it;
}

FieldDescriptor& TableEditor::Rename(std::string_view from, std::string_view to) {
  FieldDescriptor& field = At(from);
  field.json_name = to;
  return field;
}

void TableEditor::Remove(std::string_view name) {
  table_.fields.erase(table_.fields.begin() + (&At(name) - table_.fields.data()));
}

FieldSetter TableEditor::Add(std::string_view name, const ValueOps& ops) {
  FieldDescriptor& field = table_.fields.emplace_back();
  field.json_name = name;
  field.ops = &ops;
  return FieldSetter(&field);
}

StructDescriptor EditTable(const StructDescriptor& base, void (*edit)(TableEditor&)) {
  StructDescriptor table = base;
  table.extra = nullptr;
  for (FieldDescriptor& field : table.fields) field.member = nullptr;
  TableEditor editor(table);
  edit(editor);
  IndexFields(table);
  return table;
}

}  // namespace kueue::api
