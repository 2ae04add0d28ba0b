// Seeded random objects of every kind, and what has to hold for each of them:
//   api_properties [--objects N] [--first SEED] [--kind NAME] [--verbose]
// An object that breaks a property is named by kind and seed, with the first path that differs;
// the same seed breaks it again.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "api/schema/descriptors.h"
#include "api/schema/kind.h"
#include "api/types/names.h"
#include "object_difference.h"
#include "random_object.h"

namespace kueue::api::properties {
namespace {

struct Options {
  uint64_t first = 1, objects = 300;
  std::string kind;
  bool verbose = false;
};

// ---- kinds that have a struct

using ThroughStruct = base::Result<Json> (*)(const Json& object);

template <class T>
base::Result<Json> Through(const Json& object) {
  auto value = Decode<T>(object);
  if (!value.ok()) return value.error();
  const Json encoded = EncodeObject(*value);
  auto again = Decode<T>(encoded);
  if (!again.ok()) return again.error();
  if (!(*again == *value)) return base::Invalid("the struct that was written is not the one read");
  return encoded;
}

struct Typed {
  const KindInfo* kind;
  ThroughStruct through;
};

template <class... T>
std::vector<Typed> TypedKinds() {
  return {Typed{&KindOf<T>(), &Through<T>}...};
}

ThroughStruct StructOf(const KindInfo& kind) {
  static const std::vector<Typed> all =
      TypedKinds<ConfigMap, Event, Namespace, Node, Pod, Secret, Job, Lease, ProvisioningRequest,
                 AdmissionCheck, ClusterQueue, Cohort, LocalQueue, MultiKueueCluster,
                 MultiKueueConfig, ProvisioningRequestConfig, ResourceFlavor, Topology, Workload,
                 WorkloadPriorityClass>();
  for (const Typed& typed : all) {
    if (typed.kind == &kind) return typed.through;
  }
  return nullptr;
}

// ---- properties: each returns what is wrong, or nothing

std::string ChangedText(const char* what, const base::Result<Json>& again, const Json& object) {
  if (!again.ok()) return std::string(what) + " cannot be read again: " + again.error().message;
  if (WriteJson(*again) == WriteJson(object)) return {};
  const std::string before = WriteJson(object), after = WriteJson(*again);
  const auto at = std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
  const size_t from = static_cast<size_t>(at - before.begin());
  const size_t start = from < 40 ? 0 : from - 40;
  return std::string(what) + " differs: was ..." + before.substr(start, 100) + "..., is ..." +
         (start < after.size() ? after.substr(start, 100) : "") + "...";
}

std::string SurvivesText(const KindInfo&, const Json& object) {
  std::string wrong = ChangedText("the JSON text", ParseJson(WriteJson(object)), object);
  if (!wrong.empty()) return wrong;
  return ChangedText("the indented JSON text", ParseJson(WriteJsonPretty(object)), object);
}

// Equal by meaning: a number may be written otherwise, members may have another order.
std::string ChangedMeaning(const char* what, const base::Result<Json>& again, const Json& object) {
  return again.ok() && *again == object ? std::string() : ChangedText(what, again, object);
}

std::string SurvivesYaml(const KindInfo&, const Json& object) {
  auto documents = ParseYaml(WriteYaml(object));
  if (!documents.ok()) return "the YAML cannot be read again: " + documents.error().message;
  if (documents->size() != 1) return "the YAML is no longer one document";
  return ChangedMeaning("the YAML", std::move((*documents)[0]), object);
}

std::string SurvivesStruct(const KindInfo& kind, const Json& object) {
  const ThroughStruct through = StructOf(kind);
  if (through == nullptr) return {};
  const auto after = through(object);
  if (!after.ok()) return after.error().message;
  return FirstDifference(*kind.table, object, *after);
}

// What the server cannot read at all is no object: the table and the check of types agree.
std::string HasItsTypes(const KindInfo& kind, const Json& object) {
  return JoinFieldErrors(TypeErrors(kind, object));
}

std::string DefaultsOnce(const KindInfo& kind, const Json& object) {
  Json once = object;
  ApplyDefaults(kind, once);
  Json twice = once;
  ApplyDefaults(kind, twice);
  return ChangedMeaning("what was defaulted twice", std::move(twice), once);
}

std::string PrunesWhatIsUnknown(const KindInfo& kind, const Json& object) {
  Json pruned = object;
  auto removed = PruneUnknown(kind, pruned);
  auto unknown = UnknownFields(kind, object);
  std::sort(removed.begin(), removed.end());
  std::sort(unknown.begin(), unknown.end());
  if (removed != unknown) {
    return "pruning took " + std::to_string(removed.size()) + " fields away, " +
           std::to_string(unknown.size()) +
           " are reported as unknown; the first: " + (removed.empty() ? unknown : removed).front();
  }
  const auto left = UnknownFields(kind, pruned);
  return left.empty() ? std::string() : left.front() + ": is unknown and was not pruned";
}

bool IsValid(const KindInfo& kind, const Json& object) {
  return ValidateCreate(kind, object).empty();
}

std::string StaysValid(const KindInfo& kind, const Json& object) {
  Json before = object;
  ApplyDefaults(kind, before);
  const ThroughStruct through = StructOf(kind);
  if (through == nullptr || !IsValid(kind, before)) return {};
  auto after = through(before);
  if (!after.ok()) return after.error().message;
  ApplyDefaults(kind, *after);
  const std::string wrong = JoinFieldErrors(ValidateCreate(kind, *after));
  if (!wrong.empty()) return "valid before it was a struct, then not: " + wrong;
  const std::string update = JoinFieldErrors(ValidateUpdate(kind, before, *after));
  return update.empty() ? std::string() : "may not be written back: " + update;
}

// ---- conversions

void EraseAt(Json& at, std::string_view path) {
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    at.Erase(path);
  } else if (Json* next = at.Find(path.substr(0, dot))) {
    if (next->IsObject()) EraseAt(*next, path.substr(dot + 1));
  }
}

// What v1beta1 says and v1beta2 cannot, or says otherwise (spec/api.md §18).
struct Loss {
  std::string_view kind, path;
};
constexpr Loss kLosses[] = {{"AdmissionCheck", "spec.retryDelayMinutes"},
                            {"ClusterQueue", "spec.admissionChecks"},
                            {"ClusterQueue", "spec.admissionChecksStrategy"},
                            {"ClusterQueue", "spec.flavorFungibility.whenCanBorrow"},
                            {"ClusterQueue", "spec.flavorFungibility.whenCanPreempt"},
                            {"ClusterQueue", "status.pendingWorkloadsStatus"},
                            {"ClusterQueue", "status.fairSharing.admissionFairSharingStatus"},
                            {"Cohort", "status.fairSharing.admissionFairSharingStatus"},
                            {"LocalQueue", "status.flavors"},
                            {"MultiKueueCluster", "spec.kubeConfig"},
                            {"Workload", "spec.priorityClassName"},
                            {"Workload", "spec.priorityClassSource"}};

// Spec and status of a converted object are there even if empty.
void DropEmptyParts(Json& object) {
  for (const char* part : {"spec", "status"}) {
    const Json* found = object.Find(part);
    if (found != nullptr && found->IsObject() && found->size() == 0) object.Erase(part);
  }
}

Json Comparable(const KindInfo& kind, Json object) {
  for (const char* part : {"spec", "status"}) {
    Json& found = object[part];
    if (found.IsNull() && kind.table->Find(part) != nullptr) found = Json::MakeObject();
  }
  ApplyDefaults(kind, object);
  if (&StoredKind(kind) != &kind) {
    for (const Loss& loss : kLosses) {
      if (loss.kind == kind.kind) EraseAt(object, loss.path);
    }
  }
  DropEmptyParts(object);
  return object;
}

std::string Convert(std::vector<FieldError> (*convert)(const KindInfo&, Json&),
                    const KindInfo& older, const char* where, Json& object) {
  const auto errors = convert(older, object);
  if (errors.empty()) return {};
  return std::string(where) + ": " + JoinFieldErrors(errors);
}

const KindInfo* OlderVersion(const KindInfo& kind) {
  for (const KindInfo* other : AllKinds()) {
    if (other != &kind && &StoredKind(*other) == &kind) return other;
  }
  return nullptr;
}

// Newer, older, newer: nothing is lost, and the annotation that kept it is gone.
std::string SurvivesOlderVersion(const KindInfo& kind, const KindInfo& older, const Json& object) {
  Json before = object;
  PruneUnknown(kind, before);
  ApplyDefaults(kind, before);
  Json after = before;
  std::string wrong = Convert(FromStored, older, "to the older version", after);
  if (wrong.empty()) {
    const auto types = TypeErrors(older, after);
    if (!types.empty()) wrong = "the older form is unreadable: " + JoinFieldErrors(types);
  }
  if (wrong.empty()) wrong = Convert(ToStored, older, "and back", after);
  if (!wrong.empty()) return wrong;
  const Json* annotations = after.FindPath({"metadata", "annotations"});
  if (annotations != nullptr && annotations->Find(names::kNewerFields) != nullptr) {
    return std::string("the annotation ") + names::kNewerFields + " stayed behind";
  }
  return FirstDifference(*kind.table, Comparable(kind, before), Comparable(kind, after));
}

// Older, newer, older: nothing but the known losses; once more, nothing at all.
std::string SurvivesNewerVersion(const KindInfo& older, const Json& object) {
  const KindInfo& kind = StoredKind(older);
  Json before = object;
  PruneUnknown(older, before);
  ApplyDefaults(older, before);
  Json stored = before;
  std::string wrong = Convert(ToStored, older, "to the newer version", stored);
  Json after = stored;
  if (wrong.empty()) wrong = Convert(FromStored, older, "and back", after);
  if (!wrong.empty()) return wrong;
  wrong = FirstDifference(*older.table, Comparable(older, before), Comparable(older, after),
                          Absence::kIsZero);
  if (!wrong.empty()) return wrong;
  Json again = after;
  wrong = Convert(ToStored, older, "to the newer version again", again);
  if (wrong.empty()) {
    wrong = FirstDifference(*kind.table, Comparable(kind, stored), Comparable(kind, again));
  }
  return wrong;
}

std::string SurvivesConversion(const KindInfo& kind, const Json& object) {
  if (kind.group != "kueue.x-k8s.io") return {};
  if (&StoredKind(kind) != &kind) return SurvivesNewerVersion(kind, object);
  const KindInfo* older = OlderVersion(kind);
  return older != nullptr ? SurvivesOlderVersion(kind, *older, object) : std::string();
}

// ---- the run

struct Property {
  const char* name;
  std::string (*check)(const KindInfo& kind, const Json& object);
};
// Of objects as any client may send them.
constexpr Property kOfAny[] = {{"JSON text", SurvivesText},
                               {"YAML", SurvivesYaml},
                               {"struct", SurvivesStruct},
                               {"types", HasItsTypes},
                               {"pruning", PrunesWhatIsUnknown}};
// Of objects without unknown members, as they are stored.
constexpr Property kOfKnown[] = {{"defaults", DefaultsOnce}, {"conversion", SurvivesConversion}};
// Of objects without empty members: a struct cannot say that a required list is there and empty.
constexpr Property kOfFull[] = {{"validity", StaysValid}};

ObjectStyle StyleOf(uint64_t seed) {
  ObjectStyle style;
  constexpr uint64_t kSparseness[] = {3, 6, 20};
  style.sparseness = kSparseness[seed % 3];
  style.odd_texts = seed % 4 == 1;
  style.unknown_members = seed % 4 == 2;
  style.zeros = seed % 8 == 1 || seed % 8 == 6;
  return style;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  bool Kind(const KindInfo& kind) {
    failures_ = 0;
    valid_ = 0;
    for (uint64_t seed = options_.first; seed < options_.first + options_.objects; ++seed) {
      Object(kind, seed);
      if (failures_ >= kEnough) break;
    }
    const std::string name = kind.ApiVersion() + " " + std::string(kind.kind);
    if (options_.verbose) std::cout << name << ": " << valid_ << " valid\n";
    // Otherwise the properties of valid objects would say nothing.
    if (failures_ == 0 && kind.group == "kueue.x-k8s.io" && options_.objects >= 300 &&
        valid_ == 0) {
      std::cout << name << ": no object was valid\n";
      return false;
    }
    return failures_ == 0;
  }

 private:
  void Object(const KindInfo& kind, uint64_t seed) {
    const ObjectStyle style = StyleOf(seed);
    base::Random random(seed);
    const Json object = RandomObject(kind, style, random);
    for (const Property& property : kOfAny) Check(property, kind, seed, object);
    if (style.unknown_members) return;
    for (const Property& property : kOfKnown) Check(property, kind, seed, object);
    if (style.zeros) return;
    for (const Property& property : kOfFull) Check(property, kind, seed, object);
    Json defaulted = object;
    ApplyDefaults(kind, defaulted);
    if (IsValid(kind, defaulted)) ++valid_;
  }

  void Check(const Property& property, const KindInfo& kind, uint64_t seed, const Json& object) {
    const std::string wrong = property.check(kind, object);
    if (wrong.empty()) return;
    ++failures_;
    std::cout << kind.ApiVersion() << " " << kind.kind << " seed " << seed << ": " << property.name
              << ": " << wrong.substr(0, 600) << "\n";
    if (options_.verbose && options_.objects == 1) std::cout << WriteJson(object) << "\n";
  }

  static constexpr int kEnough = 5;
  const Options& options_;
  int failures_ = 0, valid_ = 0;
};

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--verbose") == 0) {
      options.verbose = true;
    } else if (more && std::strcmp(argv[i], "--objects") == 0) {
      options.objects = std::strtoull(argv[++i], nullptr, 10);
    } else if (more && std::strcmp(argv[i], "--first") == 0) {
      options.first = std::strtoull(argv[++i], nullptr, 10);
    } else if (more && std::strcmp(argv[i], "--kind") == 0) {
      options.kind = argv[++i];
    } else {
      std::cout << "api_properties [--objects N] [--first SEED] [--kind NAME] [--verbose]\n";
      return 2;
    }
  }
  Run run(options);
  size_t kinds = 0, broken = 0;
  for (const KindInfo* kind : AllKinds()) {
    if (!options.kind.empty() && kind->kind != options.kind) continue;
    ++kinds;
    if (!run.Kind(*kind)) ++broken;
  }
  std::cout << kinds << " kinds, " << options.objects << " objects of each, " << broken
            << " kinds with a property that does not hold\n";
  return kinds == 0 || broken != 0 ? 1 : 0;
}

}  // namespace
}  // namespace kueue::api::properties

int main(int argc, char** argv) { return kueue::api::properties::Main(argc, argv); }
