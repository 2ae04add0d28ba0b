#include "api/merge/ownership.h"

#include <algorithm>
#include <map>
#include <utility>

#include "api/merge/typed_value.h"

namespace kueue::api {

namespace {

// More entries of updates than this are merged, the oldest first.
constexpr size_t kMaxUpdaters = 10;
constexpr char kOldUpdates[] = "ancient-changes";

// What the server itself sets and no manager owns.
const FieldSet& SystemFields() {
  static const FieldSet& set = *[] {
    auto* made = new FieldSet;
    for (const char* name : {"apiVersion", "kind", "metadata"}) {
      made->Insert({PathElement::Field(name)});
    }
    for (const char* name : {"name", "namespace", "creationTimestamp", "selfLink", "uid",
                             "clusterName", "generation", "managedFields", "resourceVersion"}) {
      made->Insert({PathElement::Field("metadata"), PathElement::Field(name)});
    }
    return made;
  }();
  return set;
}

FieldSet WithoutNeverOwned(const MergeVersions& versions, const std::string& api_version,
                           FieldSet set) {
  const FieldSet* never = versions.NeverOwned(api_version);
  if (never == nullptr) return set;
  return FieldSet::RecursiveDifference(std::move(set), *never);
}

ManagedEntry OwnerOf(const Writing& writing, bool applied) {
  ManagedEntry owner;
  owner.manager = writing.manager.empty() ? "unknown" : writing.manager;
  owner.applied = applied;
  owner.api_version = writing.api_version;
  owner.subresource = writing.subresource;
  return owner;
}

struct Change {
  FieldSet removed, written;  // written: modified or added
};

// How two objects differ, in whichever version is asked for.
class Changes {
 public:
  Changes(const MergeVersions& versions, const std::string& api_version, const Json& before,
          const Json& after)
      : versions_(versions), api_version_(api_version), before_(before), after_(after) {}

  // Null: there is no such version, or the objects cannot be shown in it.
  Change* In(const std::string& version) {
    const auto known = changes_.find(version);
    if (known != changes_.end()) return known->second ? &*known->second : nullptr;
    auto& change = changes_[version];
    const MergeSchema* schema = versions_.SchemaOf(version);
    if (schema == nullptr) return nullptr;
    if (version == api_version_) {
      change = Of(*schema, version, before_, after_);
      return &*change;
    }
    Json before = before_, after = after_;
    // What a new object has by itself may not be convertible: it is then as good as nothing.
    if (!versions_.Convert(api_version_, version, before)) before = Json::MakeObject();
    if (!versions_.Convert(api_version_, version, after)) return nullptr;
    change = Of(*schema, version, before, after);
    return &*change;
  }

 private:
  Change Of(const MergeSchema& schema, const std::string& version, const Json& before,
            const Json& after) const {
    Comparison compared = Compare(schema, before, after);
    Change change;
    change.removed = WithoutNeverOwned(versions_, version, std::move(compared.removed));
    change.written =
        WithoutNeverOwned(versions_, version,
                          FieldSet::Union(std::move(compared.modified), std::move(compared.added)));
    return change;
  }

  const MergeVersions& versions_;
  const std::string& api_version_;
  const Json &before_, &after_;
  std::map<std::string, std::optional<Change>> changes_;
};

// Takes from everybody what the change has written or removed; from `updater` (may be null) only
// what was removed, and nothing from `applier` (may be null).
void Disown(Changes& changes, const ManagedEntry* updater, const ManagedEntry* applier,
            ManagedFields& managed) {
  ManagedFields kept;
  kept.reserve(managed.size() + 1);
  for (ManagedEntry& entry : managed) {
    if (applier == nullptr || !entry.SameOwner(*applier)) {
      const Change* change = changes.In(entry.api_version);
      if (change == nullptr) continue;
      const bool own = updater != nullptr && entry.SameOwner(*updater);
      if (!own && FieldSet::Intersects(entry.set(), change->written)) {
        entry.set_fields(FieldSet::Difference(entry.set(), change->written));
      }
      if (FieldSet::Intersects(entry.set(), change->removed)) {
        entry.set_fields(FieldSet::Difference(entry.set(), change->removed));
      }
    }
    if (!entry.set().empty()) kept.push_back(std::move(entry));
  }
  managed = std::move(kept);
}

// Entries of updates beyond the limit go into one entry per version, the oldest first.
void CapUpdaters(ManagedFields& managed) {
  ManagedFields updaters;
  for (const ManagedEntry& entry : managed) {
    if (!entry.applied) updaters.push_back(entry);
  }
  size_t count = updaters.size();
  if (count <= kMaxUpdaters) return;
  SortManagedFields(updaters);
  std::map<std::string, ManagedEntry> first;  // of a version
  for (const ManagedEntry& entry : updaters) {
    if (count <= kMaxUpdaters) return;
    const auto [known, fresh] = first.emplace(entry.api_version, entry);
    if (fresh) continue;
    ManagedEntry bucket;
    bucket.manager = kOldUpdates;
    bucket.api_version = entry.api_version;
    ManagedEntry* into = FindOwner(managed, bucket);
    if (into == nullptr) {
      into = FindOwner(managed, known->second);
      into->manager = bucket.manager;
      into->subresource.clear();
    }
    if (into->SameOwner(entry)) continue;
    into->set_fields(FieldSet::Union(entry.set(), into->set()));
    into->time = entry.time;
    managed.erase(managed.begin() + (FindOwner(managed, entry) - managed.data()));
    --count;
  }
}

// ---- apply

Json NullAsObject(Json value) { return value.IsNull() ? Json::MakeObject() : value; }

// Takes away what the manager applied last time and does not now, unless somebody else has it.
class Pruner {
 public:
  Pruner(const MergeVersions& versions, std::string api_version, const ManagedFields& managed)
      : versions_(versions), api_version_(std::move(api_version)), managed_(managed) {}

  // False: a conversion failed.
  bool Prune(const ManagedEntry& last, Json& object) const {
    if (last.set().empty()) return true;
    const MergeSchema* schema = versions_.SchemaOf(last.api_version);
    if (schema == nullptr) return true;
    Json merged = object;
    if (!To(api_version_, last.api_version, merged)) return false;
    const FieldSet mine = WithNamedParents(*schema, last.set());
    Json pruned = NullAsObject(RemoveFields(*schema, merged, mine));
    if (!AddBackOwned(last.api_version, merged, pruned)) return false;
    // What this manager did not apply last time is not for it to remove.
    const FieldSet before = WithNamedParents(*schema, FieldsOf(*schema, merged));
    const FieldSet after = WithNamedParents(*schema, FieldsOf(*schema, pruned));
    const FieldSet gone = FieldSet::Intersection(FieldSet::Difference(before, after), mine);
    object = NullAsObject(RemoveFields(*schema, merged, gone));
    return To(last.api_version, api_version_, object);
  }

 private:
  bool To(const std::string& from, const std::string& to, Json& object) const {
    return from == to || versions_.Convert(from, to, object);
  }

  bool AddBackOwned(const std::string& version, const Json& merged, Json& pruned) const {
    std::map<std::string, FieldSet> owned;
    for (const ManagedEntry& entry : managed_) {
      FieldSet& set = owned[entry.api_version];
      set = FieldSet::Union(set, entry.set());
    }
    // First in the version itself: what others need for a conversion is back then.
    std::vector<std::string> order{version};
    for (const auto& [other, set] : owned) {
      if (other != version) order.push_back(other);
    }
    for (const std::string& other : order) {
      const auto set = owned.find(other);
      const MergeSchema* schema = versions_.SchemaOf(other);
      if (set == owned.end() || schema == nullptr) continue;
      Json all = merged;
      if (!To(version, other, all) || !To(version, other, pruned)) return false;
      const FieldSet has = WithNamedParents(*schema, FieldsOf(*schema, all));
      const FieldSet kept = FieldSet::Union(WithNamedParents(*schema, FieldsOf(*schema, pruned)),
                                            WithNamedParents(*schema, set->second));
      pruned = NullAsObject(RemoveFields(*schema, all, FieldSet::Difference(has, kept)));
      if (!To(other, version, pruned)) return false;
    }
    return true;
  }

  const MergeVersions& versions_;
  const std::string api_version_;
  const ManagedFields& managed_;
};

std::vector<FieldConflict> ConflictsOf(Changes& changes, const ManagedEntry& owner,
                                       const ManagedFields& managed) {
  std::vector<FieldConflict> conflicts;
  for (const ManagedEntry& entry : managed) {
    if (entry.SameOwner(owner)) continue;
    const Change* change = changes.In(entry.api_version);
    if (change == nullptr) continue;
    FieldSet::Intersection(entry.set(), change->written).ForEach([&](const FieldPath& path) {
      conflicts.push_back({entry, path});
    });
  }
  return conflicts;
}

}  // namespace

ManagedFields TrackUpdate(const MergeVersions& versions, const Writing& writing, const Json& before,
                          const Json& after, const ManagedFields& managed) {
  Changes changes(versions, writing.api_version, before, after);
  Change* change = changes.In(writing.api_version);
  ManagedFields out = managed;
  if (change == nullptr) return out;
  ManagedEntry owner = OwnerOf(writing, false);
  Disown(changes, &owner, nullptr, out);
  FieldSet own = FieldSet::Difference(std::move(change->written), SystemFields());
  if (!own.empty()) {
    owner.time = writing.now;
    ManagedEntry* entry = FindOwner(out, owner);
    if (entry == nullptr) {
      owner.set_fields(std::move(own));
      out.push_back(std::move(owner));
    } else {
      const bool has_all = FieldSet::Difference(own, entry->set()).empty();
      if (!has_all) entry->set_fields(FieldSet::Union(entry->set(), own));
      entry->time = owner.time;
    }
  }
  CapUpdaters(out);
  SortManagedFields(out);
  return out;
}

void Reconcile(const MergeVersions& versions, ManagedFields& managed) {
  for (ManagedEntry& entry : managed) {
    const MergeSchema* schema = versions.SchemaOf(entry.api_version);
    if (schema != nullptr) entry.set_fields(ReconcileFields(*schema, entry.set()));
  }
}

base::Result<Applied> ApplyConfiguration(const MergeVersions& versions, const Writing& writing,
                                         const Json& live, const Json& config,
                                         const ManagedFields& managed, bool force) {
  const MergeSchema* schema = versions.SchemaOf(writing.api_version);
  if (schema == nullptr) return base::Internal("no schema of " + writing.api_version);
  auto merged = MergeTyped(*schema, live, config);
  if (!merged.ok()) return merged.error();

  Applied applied;
  applied.managed = managed;
  ManagedEntry owner = OwnerOf(writing, true);
  owner.set_fields(WithoutNeverOwned(versions, writing.api_version, FieldsOf(*schema, config)));
  std::optional<ManagedEntry> last;
  if (ManagedEntry* entry = FindOwner(applied.managed, owner)) {
    last = *entry;
    owner.time = entry->time;
    *entry = owner;
  } else {
    applied.managed.push_back(owner);
  }
  if (last && !Pruner(versions, writing.api_version, applied.managed).Prune(*last, *merged)) {
    return base::Internal("the object cannot be converted to " + last->api_version);
  }
  Changes changes(versions, writing.api_version, live, *merged);
  if (!force) {
    applied.conflicts = ConflictsOf(changes, owner, applied.managed);
    if (!applied.conflicts.empty()) return applied;
  }
  Disown(changes, nullptr, &owner, applied.managed);
  const bool changed = !(live == *merged);
  if (ManagedEntry* entry = FindOwner(applied.managed, owner)) {
    entry->set_fields(FieldSet::Difference(entry->set(), SystemFields()));
    if (changed) entry->time = writing.now;
    if (entry->set().empty())
      applied.managed.erase(applied.managed.begin() + (entry - applied.managed.data()));
  }
  SortManagedFields(applied.managed);
  if (changed) applied.object = std::move(*merged);
  return applied;
}

namespace {

std::string OwnerText(const ManagedEntry& owner) {
  std::string text = "\"" + owner.manager + "\"";
  if (!owner.subresource.empty()) text += " with subresource \"" + owner.subresource + "\"";
  if (!owner.applied) text += " using " + owner.api_version;
  return text;
}

}  // namespace

std::string ConflictCause(const FieldConflict& conflict) {
  return "conflict with " + OwnerText(conflict.owner);
}

std::string ConflictText(const std::vector<FieldConflict>& conflicts) {
  const bool one = conflicts.size() == 1;
  std::string text = "Apply failed with " + std::to_string(conflicts.size()) +
                     (one ? " conflict: " : " conflicts: ");
  if (one) return text + ConflictCause(conflicts[0]) + ": " + PathText(conflicts[0].path);
  std::map<std::string, std::string> by_owner;
  for (const FieldConflict& conflict : conflicts) {
    by_owner[OwnerText(conflict.owner)] += "\n- " + PathText(conflict.path);
  }
  bool first = true;
  for (const auto& [owner, paths] : by_owner) {
    text += (first ? "conflicts with " : "\nconflicts with ") + owner + ":" + paths;
    first = false;
  }
  return text;
}

// ---- scale

namespace {

constexpr char kScaleVersion[] = "autoscaling/v1";

const FieldPath& ScaleReplicas() {
  static const FieldPath& path =
      *new FieldPath{PathElement::Field("spec"), PathElement::Field("replicas")};
  return path;
}

// Owners of the two objects are the same but for the version.
const ManagedEntry* SameInScale(const ManagedFields& scale, const ManagedEntry& parent) {
  for (const ManagedEntry& entry : scale) {
    if (entry.manager == parent.manager && entry.applied == parent.applied &&
        entry.subresource == parent.subresource) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace

ManagedFields ToScale(const ScaleMapping& mapping, const ManagedFields& parent) {
  FieldSet replicas;
  replicas.Insert(ScaleReplicas());
  const auto fields = std::make_shared<const OwnedFields>(std::move(replicas));
  ManagedFields scale;
  for (const ManagedEntry& entry : parent) {
    const FieldPath* path = mapping.path(mapping.context, entry.api_version);
    if (path == nullptr || !entry.set().Has(*path)) continue;
    scale.push_back(entry);
    scale.back().api_version = kScaleVersion;
    scale.back().fields = fields;
  }
  SortManagedFields(scale);
  return scale;
}

ManagedFields FromScale(const ScaleMapping& mapping, const ManagedFields& parent,
                        const ManagedFields& scale) {
  ManagedFields out;
  ManagedFields rest = scale;
  for (const ManagedEntry& entry : parent) {
    const FieldPath* path = mapping.path(mapping.context, entry.api_version);
    out.push_back(entry);
    if (path == nullptr || !entry.set().Has(*path)) continue;
    if (const ManagedEntry* same = SameInScale(rest, entry)) {
      rest.erase(rest.begin() + (same - rest.data()));
      continue;
    }
    FieldSet taken;
    taken.Insert(*path);
    out.back().set_fields(FieldSet::Difference(entry.set(), taken));
    if (out.back().set().empty()) out.pop_back();
  }
  const FieldPath* path = mapping.path(mapping.context, mapping.parent_version);
  for (const ManagedEntry& entry : rest) {
    if (path == nullptr || !entry.set().Has(ScaleReplicas())) continue;
    FieldSet replicas;
    replicas.Insert(*path);
    out.push_back(entry);
    out.back().api_version = mapping.parent_version;
    out.back().set_fields(std::move(replicas));
  }
  SortManagedFields(out);
  return out;
}

}  // namespace kueue::api
