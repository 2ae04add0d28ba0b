#pragma once

#include <span>
#include <string_view>

// What a Kubernetes API server says about its own types, as plain data: tools/generate_tables
// writes the facts_*.cc. described.h makes tables of it.
namespace kueue::api::facts {

enum FieldFlags : unsigned {
  kRequired = 1,
  kPointer = 2,      // absent and zero differ
  kWritten = 4,      // written even when zero
  kAtomic = 8,       // a list, map or struct that server-side apply replaces whole
  kSet = 16,         // a list of unique values
  kMap = 32,         // a list whose entries are told apart by `keys`
  kMerge = 64,       // of a strategic merge patch: entries are merged, by `merge_key` if given
  kRetainKeys = 128, // of a strategic merge patch: $retainKeys names what stays
  kReplace = 256,    // of a strategic merge patch: replaced whole
};

struct FieldFacts {
  std::string_view name;
  // bool, int32, int64, number, string, bytes (base64), quantity, time, microtime, duration,
  // intorstring, json (anything), or the name of a table; after [] a list, after {} a map of it.
  std::string_view type;
  unsigned flags = 0;
  std::string_view keys = {};          // of kMap, joined by ','
  std::string_view merge_key = {};
  std::string_view default_json = {};  // put in when absent
  std::string_view values = {};        // what is usual, of a list for its entries, joined by '|'
};

enum StructFlags : unsigned {
  kTopLevel = 1,      // a whole object: has apiVersion and kind beside its fields
  kAtomicStruct = 2,  // server-side apply replaces it whole wherever it stands
};

struct StructFacts {
  std::string_view name;  // "core.v1.Pod"
  std::span<const FieldFacts> fields;
  unsigned flags = 0;
  // Required members as they are published, joined by ','; empty: in the order of their names.
  std::string_view required = {};
};

struct ColumnFacts {
  std::string_view name, type;
  int priority = 0;
};

enum KindFlags : unsigned { kNamespaced = 1, kHasStatus = 2, kHasScale = 4 };

struct KindFacts {
  std::string_view group, version, kind, plural, singular;
  std::string_view short_names, categories;  // joined by ','
  std::string_view table;
  std::span<const ColumnFacts> columns;
  unsigned flags = 0;
};

std::span<const StructFacts> MetaFacts();
std::span<const StructFacts> VolumesFacts();
std::span<const StructFacts> PodsFacts();
std::span<const StructFacts> CoreFacts();
std::span<const StructFacts> AdmissionFacts();
std::span<const StructFacts> DefinitionsFacts();
std::span<const StructFacts> WorkloadsFacts();
std::span<const StructFacts> AutoscalingFacts();
std::span<const StructFacts> AccessFacts();
std::span<const StructFacts> NetworkFacts();
std::span<const StructFacts> DevicesFacts();
std::span<const StructFacts> ControlFacts();
std::span<const StructFacts> OthersFacts();
std::span<const KindFacts> AllKindFacts();

}  // namespace kueue::api::facts
