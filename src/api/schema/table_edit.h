#pragma once

#include <string_view>

#include "api/codec/descriptor.h"
#include "api/schema/table_builder.h"

// Tables of types without a struct, made from another table by saying what differs. They serve the
// interpreters of schema/kind.h; nothing can be decoded with them.
namespace kueue::api {

// The operations of a value that is described by the table `kTable` returns.
template <const StructDescriptor& (*kTable)()>
struct Described {
  static const StructDescriptor* Element() { return &kTable(); }
  static constexpr ValueOps kStruct{.kind = FieldKind::kStruct, .element = &Element};
  static constexpr ValueOps kList{.kind = FieldKind::kList, .item = &kStruct};
};

class TableEditor {
 public:
  explicit TableEditor(StructDescriptor& table) : table_(table) {}

  // REQUIRES of all: there is such a field. References are valid until the next Add or Remove.
  FieldDescriptor& At(std::string_view name);
  FieldDescriptor& Rename(std::string_view from, std::string_view to);
  void Remove(std::string_view name);
  void Retype(std::string_view name, const ValueOps& ops) { At(name).ops = &ops; }

  FieldSetter Add(std::string_view name, const ValueOps& ops);
  template <class T>
  FieldSetter Add(std::string_view name) {
    return Add(name, table_detail::OpsOf<T>::kOps);
  }

  std::vector<CelRule>& rules() { return table_.rules; }

 private:
  StructDescriptor& table_;
};

StructDescriptor EditTable(const StructDescriptor& base, void (*edit)(TableEditor&));

}  // namespace kueue::api
