#pragma once

#include "api/codec/descriptor.h"
#include "cel/type.h"

// The types that expressions about our objects are checked against, derived from the tables. They
// are those a server derives from the definition that crd.cc writes of the same table.
// https://kubernetes.io/docs/reference/using-api/cel/#type-system-integration
namespace kueue::api {

enum class TablePlace {
  kRoot,    // a whole object: apiVersion, kind, and of metadata the names only
  kInside,  // metadata of a template has what templates keep
};

// Types are made once per table and process and live as long as it does. Safe from any thread.
cel::TypeRef RuleTypeOf(const StructDescriptor& table, TablePlace place);
// Of the field's value: lists know their list type, sets and map-like lists compare without order.
cel::TypeRef RuleTypeOf(const FieldDescriptor& field);
// Of entries of lists and maps, which have no list type of their own.
cel::TypeRef RuleTypeOf(const ValueOps& ops);

}  // namespace kueue::api
