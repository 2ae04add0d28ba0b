#include "scheduling/topology/space.h"

#include <algorithm>

#include "base/check.h"
#include "resources/resource_vector.h"

namespace kueue::scheduling::topology {

Space::Space(std::string flavor, const NodeTable& nodes, Holdings& holdings)
    : flavor_(std::move(flavor)), nodes_(nodes), holdings_(holdings) {
  holdings_.Attach(this);
}

Space::~Space() {
  holdings_.Detach(this);
  for (const Holdings::Entry entry : entry_) {
    if (entry != Holdings::kNone) holdings_.Release(entry);
  }
}

void Space::SetSpec(SpaceSpec spec) {
  if (spec_.tolerations != spec.tolerations) ++toleration_version_;
  const bool same = spec_.keys == spec.keys && spec_.node_labels == spec.node_labels;
  if (same) {
    spec_ = std::move(spec);
    return;
  }
  for (Row row = 0; row < site_of_row_.size(); ++row) Leave(row);
  spec_ = std::move(spec);
  values_.assign(entry_.size() * depth(), 0);
  stale_ = true;
  for (Row row = 0; row < nodes_.rows(); ++row) {
    if (nodes_.known(row) && Contains(nodes_.object(row))) Join(row);
  }
}

int Space::LevelOf(const std::string& key) const {
  const auto found = std::find(spec_.keys.begin(), spec_.keys.end(), key);
  return found == spec_.keys.end() ? -1 : static_cast<int>(found - spec_.keys.begin());
}

std::vector<std::string> Space::StoredKeys() const {
  return host_level() ? std::vector<std::string>{spec_.keys.back()} : spec_.keys;
}

// Every label of the flavor, and every level as a label, be it empty (§3.1).
bool Space::Contains(const api::Node& node) const {
  const api::StringMap& labels = node.metadata.labels;
  for (const auto& [key, value] : spec_.node_labels) {
    const auto found = labels.find(key);
    if (found == labels.end() || found->second != value) return false;
  }
  return std::all_of(spec_.keys.begin(), spec_.keys.end(),
                     [&](const std::string& key) { return labels.contains(key); });
}

// ---- nodes come and go

void Space::NodeChanged(const NodeTable::Change& change) {
  const Row row = change.row;
  const Site known = row < site_of_row_.size() ? site_of_row_[row] : kNoSite;
  if (change.added || change.labels) {
    const api::Node& node = nodes_.object(row);
    const bool belongs = Contains(node);
    if (belongs && known != kNoSite && IdOf(node) == Id(known)) return Refresh(known);
    if (known != kNoSite) Leave(row);
    if (belongs) Join(row);
    return;
  }
  if (known == kNoSite) return;
  if (change.usable) {
    Refresh(known);
  } else if (change.room) {
    RefreshCapacity(known);
  }
  if (change.matching) match_log_.Add(known);
}

void Space::NodeLeaves(Row row) {
  if (row < site_of_row_.size()) Leave(row);
}

void Space::Grow(Site sites) {
  entry_.resize(sites, Holdings::kNone);
  rows_.resize(sites);
  values_.resize(sites * depth());
  present_.resize(sites);
  placed_.resize(sites);
  position_.resize(sites);
  for (auto* columns : {&free_, &left_}) {
    for (auto& column : *columns) {
      if (!column.empty()) column.resize(sites);
    }
  }
}

// The site of an entry, made where missing. A new one holds the entry.
Site Space::MakeSite(Holdings::Entry entry) {
  if (site_of_entry_.size() <= entry) site_of_entry_.resize(holdings_.size(), kNoSite);
  Site& site = site_of_entry_[entry];
  if (site != kNoSite) return site;
  if (free_sites_.empty()) {
    site = static_cast<Site>(entry_.size());
    Grow(site + 1);
  } else {
    site = free_sites_.back();
    free_sites_.pop_back();
  }
  holdings_.Hold(entry);
  entry_[site] = entry;
  return site;
}

// The node's labels decide its site: the hostname alone, or all level values (§4.3).
std::string Space::IdOf(const api::Node& node) const {
  const api::StringMap& labels = node.metadata.labels;
  if (host_level()) return labels.find(spec_.keys.back())->second;
  std::string id;
  for (const std::string& key : spec_.keys) {
    if (&key != &spec_.keys.front()) id += ',';
    id += labels.find(key)->second;
  }
  return id;
}

void Space::Join(Row row) {
  const Holdings::Entry entry = holdings_.Hold(IdOf(nodes_.object(row)));
  const Site site = MakeSite(entry);
  holdings_.Release(entry);
  if (site_of_row_.size() <= row) site_of_row_.resize(nodes_.rows(), kNoSite);
  site_of_row_[row] = site;
  rows_[site].push_back(row);
  Refresh(site);
}

void Space::Leave(Row row) {
  const Site site = site_of_row_[row];
  if (site == kNoSite) return;
  site_of_row_[row] = kNoSite;
  std::erase(rows_[site], row);
  Refresh(site);
  DropIfUnused(site);
}

// A site without nodes is none: its usage stays in the holdings for the day it comes back.
void Space::DropIfUnused(Site site) {
  if (!rows_[site].empty()) return;
  placed_[site] = 0;
  site_of_entry_[entry_[site]] = kNoSite;
  holdings_.Release(entry_[site]);
  entry_[site] = Holdings::kNone;
  free_sites_.push_back(site);
}

void Space::Refresh(Site site) {
  std::vector<Row>& rows = rows_[site];
  std::sort(rows.begin(), rows.end(), [&](Row a, Row b) {
    if (nodes_.usable(a) != nodes_.usable(b)) return nodes_.usable(a);
    return nodes_.object(a).metadata.name < nodes_.object(b).metadata.name;
  });
  const bool moved = !rows.empty() && ReadValues(site);
  if (moved) placed_[site] = 0;
  if (rows.empty() || !placed_[site]) stale_ = true;
  if (!rows.empty() && !placed_[site]) moved_.push_back(site);
  SetPresent(site, !rows.empty() && nodes_.usable(rows.front()));
  RefreshCapacity(site);
  match_log_.Add(site);
}

// True if they differ from before.
bool Space::ReadValues(Site site) {
  const api::StringMap& labels = NodeOf(site).metadata.labels;
  const size_t named = host_level() ? depth() - 1 : depth();
  bool changed = false;
  for (size_t i = 0; i < named; ++i) {
    const uint32_t value = value_names_.Intern(labels.find(spec_.keys[i])->second);
    changed |= std::exchange(values_[site * depth() + i], value) != value;
  }
  return changed;
}

void Space::SetPresent(Site site, bool present) {
  if ((present_[site] != 0) == present) return;
  present_[site] = present;
  present_count_ += present ? 1 : -1;
  if (stale_) return;
  uint32_t domain = position_[site];
  for (size_t l = levels_.size(); l-- > 0;) {
    levels_[l].present[domain] += present ? 1 : -1;
    if (l > 0) domain = levels_[l].parent[domain];
  }
}

// ---- capacity

int64_t* Space::MutableColumn(ResourceId resource, bool empty) {
  auto& columns = empty ? free_ : left_;
  if (columns.size() <= resource.index()) columns.resize(resource.index() + 1);
  auto& column = columns[resource.index()];
  if (column.empty()) column.resize(entry_.size());
  return column.data();
}

const int64_t* Space::Column(ResourceId resource, bool empty) const {
  const auto& columns = empty ? free_ : left_;
  if (resource.index() >= columns.size() || columns[resource.index()].empty()) return nullptr;
  return columns[resource.index()].data();
}

int64_t Space::Allocatable(Site site, const std::string& resource) const {
  int64_t sum = 0;
  for (const Row row : rows_[site]) {
    if (!nodes_.usable(row)) continue;
    const auto& allocatable = nodes_.object(row).status.allocatable;
    const auto found = allocatable.find(resource);
    if (found == allocatable.end()) continue;
    sum = resources::SaturatingAdd(sum, resources::RequestUnits(resource, found->second));
  }
  return sum;
}

void Space::RefreshCapacity(Site site) {
  const size_t resources = std::max(nodes_.resources(), left_.size());
  for (uint32_t r = 0; r < resources; ++r) {
    const ResourceId resource{r};
    int64_t room = 0;
    for (const Row row : rows_[site]) {
      if (nodes_.usable(row)) room = resources::SaturatingAdd(room, nodes_.Room(resource, row));
    }
    const int64_t used = holdings_.Used(resource, entry_[site]);
    if (room == 0 && used == 0 && Column(resource, true) == nullptr &&
        Column(resource, false) == nullptr) {
      continue;
    }
    MutableColumn(resource, true)[site] = room;
    MutableColumn(resource, false)[site] = resources::SaturatingSub(room, used);
  }
  capacity_log_.Add(site);
}

void Space::UsageChanged(Holdings::Entry entry, ResourceId resource) {
  const Site site = SiteAt(entry);
  if (site == kNoSite) return;
  const int64_t* const free = Column(resource, true);
  MutableColumn(resource, false)[site] =
      resources::SaturatingSub(free == nullptr ? 0 : free[site], holdings_.Used(resource, entry));
  capacity_log_.Add(site);
}

void Space::Try(Site site, const RequestVector& per_pod, int64_t count, bool empty_too,
                std::vector<TrialRow>& trial) {
  for (const ResourceAmount& want : per_pod) {
    int64_t& left = MutableColumn(want.resource, false)[site];
    int64_t& free = MutableColumn(want.resource, true)[site];
    trial.push_back({this, want.resource, site, left, free});
    const int64_t amount = resources::SaturatingMul(want.amount, count);
    left = resources::SaturatingSub(left, amount);
    if (empty_too) free = resources::SaturatingSub(free, amount);
  }
  capacity_log_.Add(site);
}

void Space::Undo(const TrialRow& row) {
  MutableColumn(row.resource, false)[row.site] = row.left;
  MutableColumn(row.resource, true)[row.site] = row.free;
  capacity_log_.Add(row.site);
}

// ---- names

const std::string& Space::Value(Site site, size_t level) const {
  if (host_level() && level + 1 == depth()) return Id(site);
  return value_names_.Name(values_[site * depth() + level]);
}

std::string Space::PathOf(size_t level, uint32_t domain) const {
  const Site site = order_[levels_[level].begin[domain]];
  std::string path;
  for (size_t l = 0; l <= level; ++l) path += (l == 0 ? "" : ",") + Value(site, l);
  return path;
}

std::vector<std::string> Space::StoredValues(Site site) const {
  if (host_level()) return {Id(site)};
  std::vector<std::string> values;
  for (size_t l = 0; l < depth(); ++l) values.push_back(Value(site, l));
  return values;
}

Site Space::Find(std::string_view id) const {
  const Site site = SiteAt(holdings_.Find(id));
  return site != kNoSite && present(site) ? site : kNoSite;
}

// ---- structure

bool Space::Before(Site a, Site b) const {
  for (size_t l = 0; l < depth(); ++l) {
    const bool host = host_level() && l + 1 == depth();
    if (!host && values_[a * depth() + l] == values_[b * depth() + l]) continue;
    const int order = Value(a, l).compare(Value(b, l));
    if (order != 0) return order < 0;
  }
  return false;
}

void Space::Prepare() {
  if (!stale_) return;
  const auto before = [&](Site a, Site b) { return Before(a, b); };
  std::erase_if(order_, [&](Site site) { return !placed_[site]; });
  std::erase_if(moved_, [&](Site site) { return placed_[site] || rows_[site].empty(); });
  std::sort(moved_.begin(), moved_.end(), before);
  moved_.erase(std::unique(moved_.begin(), moved_.end()), moved_.end());
  const auto middle = static_cast<ptrdiff_t>(order_.size());
  order_.insert(order_.end(), moved_.begin(), moved_.end());
  std::inplace_merge(order_.begin(), order_.begin() + middle, order_.end(), before);
  for (const Site site : moved_) placed_[site] = 1;
  moved_.clear();
  for (uint32_t p = 0; p < order_.size(); ++p) position_[order_[p]] = p;
  BuildLevels();
  stale_ = false;
  ++structure_;
}

// Positions that share all values down to a level are one domain of it.
void Space::BuildLevels() {
  levels_.assign(depth(), {});
  const auto positions = static_cast<uint32_t>(order_.size());
  for (uint32_t p = 0; p < positions; ++p) {
    const Site site = order_[p];
    size_t same = 0;
    if (p > 0) {
      const Site before = order_[p - 1];
      while (same + 1 < depth() &&
             values_[site * depth() + same] == values_[before * depth() + same]) {
        ++same;
      }
    }
    for (size_t l = same; l < depth(); ++l) {
      Level& level = levels_[l];
      level.begin.push_back(p);
      level.present.push_back(0);
      if (l > 0) level.parent.push_back(levels_[l - 1].size - 1);
      if (l + 1 < depth()) level.first.push_back(levels_[l + 1].size);
      ++level.size;
    }
    if (!present_[site]) continue;
    for (Level& level : levels_) ++level.present.back();
  }
  for (size_t l = 0; l < depth(); ++l) {
    levels_[l].begin.push_back(positions);
    if (l + 1 < depth()) levels_[l].first.push_back(levels_[l + 1].size);
  }
}

uint32_t Space::DomainAbove(uint32_t position, size_t level) const {
  uint32_t domain = position;
  for (size_t l = depth() - 1; l > level; --l) domain = levels_[l].parent[domain];
  return domain;
}

}  // namespace kueue::scheduling::topology
