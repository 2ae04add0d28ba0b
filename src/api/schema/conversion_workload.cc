#include "api/schema/conversion_workload.h"

#include "api/match/topology_assignment.h"
#include "api/schema/descriptors.h"
#include "api/schema/kept_fields.h"

namespace kueue::api {
namespace {

const KeptFields& WorkloadKept() {
  static const KeptFields fields = {
      {"spec", "preemptionGates"},
      {"spec.podSets[].topologyRequest", "podsetSliceRequiredTopologyConstraints"},
      {"status", "preemptionGates"}};
  return fields;
}

// A class has a source of its own in v1beta1.
struct ClassSource {
  const char* source;
  const char* group;
  const char* kind;
};
constexpr ClassSource kSources[] = {
    {"kueue.x-k8s.io/workloadpriorityclass", "kueue.x-k8s.io", "WorkloadPriorityClass"},
    {"scheduling.k8s.io/priorityclass", "scheduling.k8s.io", "PriorityClass"}};

constexpr char kMisspelt[] = "accumulatedPastExexcutionTimeSeconds";
constexpr char kSpelt[] = "accumulatedPastExecutionTimeSeconds";

void Move(Json& object, const char* from, const char* to) {
  object.Erase(to);
  Json* value = object.Find(from);
  if (value == nullptr) return;
  Json moved = std::move(*value);
  object.Erase(from);
  object.Set(to, std::move(moved));
}

// Without a source the name says nothing.
void TakeClass(Json& spec) {
  spec.Erase("priorityClassRef");
  const Json name = spec.Find("priorityClassName") ? *spec.Find("priorityClassName") : Json();
  for (const ClassSource& source : kSources) {
    if (Text(spec, "priorityClassSource") != source.source) continue;
    Json ref = Json::MakeObject();
    ref.Set("group", source.group);
    ref.Set("kind", source.kind);
    if (!name.IsNull()) ref.Set("name", name);
    spec.Set("priorityClassRef", std::move(ref));
  }
  spec.Erase("priorityClassName");
  spec.Erase("priorityClassSource");
}

void GiveClass(Json& spec) {
  const Json* ref = spec.Find("priorityClassRef");
  if (ref == nullptr) return;
  for (const ClassSource& source : kSources) {
    if (Text(*ref, "group") != source.group || Text(*ref, "kind") != source.kind) continue;
    const std::string name(Text(*ref, "name"));
    spec.Set("priorityClassSource", source.source);
    if (!name.empty()) spec.Set("priorityClassName", name);
    break;
  }
  spec.Erase("priorityClassRef");
}

// The compact form of a list of domains. Every domain must name a value for each level: fewer could
// not be read again, more would be dropped.
void EncodeAssignment(Json& assignment, const std::string& path, FieldErrors& errors) {
  std::vector<std::string> levels;
  for (const Json& level : Items(assignment, "levels")) {
    levels.push_back(level.IsString() ? level.AsString() : "");
  }
  std::vector<TopologyDomain> domains;
  const Json::Array& items = Items(assignment, "domains");
  for (size_t i = 0; i < items.size(); ++i) {
    const Json::Array& values = Items(items[i], "values");
    if (values.size() != levels.size()) {
      AddInvalid(errors, Field(Field(Field(path, "domains"), i), "values"),
                 "has " + std::to_string(values.size()) +
                     " values, must have one for each of the " + std::to_string(levels.size()) +
                     " levels");
      continue;
    }
    TopologyDomain& domain = domains.emplace_back();
    domain.count = static_cast<int32_t>(Int(items[i], "count").value_or(0));
    for (const Json& value : values) {
      domain.values.push_back(value.IsString() ? value.AsString() : "");
    }
  }
  if (!errors.empty()) return;
  assignment = Encode(EncodeTopology(levels, domains, true));
}

void DecodeAssignment(Json& assignment, const std::string& path, FieldErrors& errors) {
  TopologyAssignment compact;
  errors = DecodeStruct(DescriptorOf<TopologyAssignment>(), &compact, assignment, path);
  if (!errors.empty()) return;
  const auto domains = DecodeTopology(compact);
  if (!domains.ok()) return AddInvalid(errors, path, domains.error().message);
  Json list = Json::MakeArray();
  for (const TopologyDomain& domain : *domains) {
    Json values = Json::MakeArray();
    for (const std::string& value : domain.values) values.Append(value);
    Json item = Json::MakeObject();
    item.Set("values", std::move(values));
    item.Set("count", int64_t{domain.count});
    list.Append(std::move(item));
  }
  assignment.Erase("slices");
  assignment.Set("domains", std::move(list));
}

FieldErrors ConvertAssignments(Json& status,
                               void (*convert)(Json&, const std::string&, FieldErrors&)) {
  FieldErrors errors;
  Json* admission = status.Find("admission");
  Json* list = admission ? admission->Find("podSetAssignments") : nullptr;
  if (list == nullptr || !list->IsArray()) return errors;
  for (size_t i = 0; i < list->size(); ++i) {
    Json* assignment = list->AsArray()[i].Find("topologyAssignment");
    if (assignment == nullptr || !assignment->IsObject()) continue;
    const std::string path = Field("status.admission.podSetAssignments", i);
    convert(*assignment, Field(path, "topologyAssignment"), errors);
  }
  return errors;
}

}  // namespace

FieldErrors WorkloadToStored(Json& object) {
  if (Json* spec = object.Find("spec")) {
    TakeClass(*spec);
    spec->Erase("preemptionGates");
  }
  if (Json* status = object.Find("status")) {
    Move(*status, kMisspelt, kSpelt);
    status->Erase("preemptionGates");
    FieldErrors errors = ConvertAssignments(*status, EncodeAssignment);
    if (!errors.empty()) return errors;
  }
  FieldErrors errors = PutBackKept(KindOf<Workload>(), WorkloadKept(), object);
  if (errors.empty()) errors = InEncodedForm<Workload>(object);
  return errors;
}

FieldErrors WorkloadFromStored(Json& object) {
  FieldErrors errors = InEncodedForm<Workload>(object);
  if (!errors.empty()) return errors;
  Keep(WorkloadKept(), object);
  if (Json* spec = object.Find("spec")) GiveClass(*spec);
  if (Json* status = object.Find("status")) {
    Move(*status, kSpelt, kMisspelt);
    return ConvertAssignments(*status, DecodeAssignment);
  }
  return {};
}

}  // namespace kueue::api
