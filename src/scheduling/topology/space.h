#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "scheduling/topology/change_log.h"
#include "scheduling/topology/holdings.h"
#include "scheduling/topology/node_table.h"

namespace kueue::scheduling::topology {

inline constexpr char kHostname[] = "kubernetes.io/hostname";

// A lowest domain of one flavor. Its number stays as long as nodes or usage name it, wherever it
// stands in the order.
using Site = uint32_t;
inline constexpr Site kNoSite = UINT32_MAX;

// What makes the domains of a flavor: its labels and the levels of its topology.
struct SpaceSpec {
  std::vector<std::string> keys;  // level keys, coarse to fine
  api::StringMap node_labels;
  std::vector<api::Toleration> tolerations;
  friend bool operator==(const SpaceSpec&, const SpaceSpec&) = default;
};

// Domains of one level, in the order of their values. Domains of the lowest level are positions in
// the order of sites.
struct Level {
  std::vector<uint32_t> first;    // by domain: its first child one level below, then the end
  std::vector<uint32_t> parent;   // by domain; not at the top
  std::vector<uint32_t> begin;    // by domain: its first position, then the end
  std::vector<uint32_t> present;  // by domain: positions with a usable node
  uint32_t size = 0;
};

struct TrialRow;

// The domains that one flavor's nodes span and what is free on them (spec/topology.md §4.3, §4.4).
// Columns by site, domains as ranges over the sorted sites. Changes of a node are taken in at once;
// the order is made anew, lazily, only when sites come, go or move.
class Space {
 public:
  Space(std::string flavor, const NodeTable& nodes, Holdings& holdings);
  ~Space();
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  // Takes another spec; reads all nodes anew when labels or levels differ.
  void SetSpec(SpaceSpec spec);
  const SpaceSpec& spec() const { return spec_; }
  const std::string& flavor() const { return flavor_; }
  Holdings& holdings() const { return holdings_; }
  bool host_level() const { return !spec_.keys.empty() && spec_.keys.back() == kHostname; }
  size_t depth() const { return spec_.keys.size(); }
  // The place of a level key; -1 if the topology does not have it.
  int LevelOf(const std::string& key) const;
  // The level keys that assignments carry (§10).
  std::vector<std::string> StoredKeys() const;

  // ---- nodes. The row is new or has changed; or is about to be deleted.
  void NodeChanged(const NodeTable::Change& change);
  void NodeLeaves(Row row);
  bool Contains(const api::Node& node) const;
  void UsageChanged(Holdings::Entry entry, ResourceId resource);

  // ---- structure. REQUIRES: Prepare() since the last change of nodes.
  void Prepare();
  uint64_t structure() const { return structure_; }  // different whenever the order is
  const Level& level(size_t index) const { return levels_[index]; }
  const std::vector<Site>& order() const { return order_; }
  uint32_t position(Site site) const { return position_[site]; }
  // The domain at `level` above a position.
  uint32_t DomainAbove(uint32_t position, size_t level) const;
  // The site of a domain id that has a usable node, or kNoSite.
  Site Find(std::string_view id) const;
  // The site of a holdings entry, with a usable node or without; or kNoSite.
  Site SiteAt(Holdings::Entry entry) const {
    return entry < site_of_entry_.size() ? site_of_entry_[entry] : kNoSite;
  }
  bool Has(Row row) const { return row < site_of_row_.size() && site_of_row_[row] != kNoSite; }
  bool present(Site site) const { return present_[site] != 0; }
  uint32_t present_count() const { return present_count_; }
  // The node that stands for the site in matching: of its usable nodes the first by name.
  const api::Node& NodeOf(Site site) const { return nodes_.object(rows_[site].front()); }
  const std::string& Value(Site site, size_t level) const;
  const std::string& Id(Site site) const { return holdings_.Id(entry_[site]); }
  // Some node is there, usable or not.
  bool HasNode(Site site) const { return !rows_[site].empty(); }
  // All values of a domain, joined by ','.
  std::string PathOf(size_t level, uint32_t domain) const;
  // The values an assignment carries for the site (§10).
  std::vector<std::string> StoredValues(Site site) const;
  Holdings::Entry entry(Site site) const { return entry_[site]; }
  size_t sites() const { return entry_.size(); }

  // ---- capacity
  // Of its usable nodes together, whatever keeps them busy.
  int64_t Allocatable(Site site, const std::string& resource) const;
  // Without usage of Workloads (`empty`), or with; may be negative. Null: no node has any.
  const int64_t* Column(ResourceId resource, bool empty) const;
  const ChangeLog& capacity_log() const { return capacity_log_; }
  const ChangeLog& match_log() const { return match_log_; }
  uint64_t toleration_version() const { return toleration_version_; }

  // ---- trials: changes of the capacity that are undone, newest first.
  // Takes `count` pods from the site's room, or gives them back when negative. `empty_too`: also
  // from the room without usage.
  void Try(Site site, const RequestVector& per_pod, int64_t count, bool empty_too,
           std::vector<TrialRow>& trial);
  void Undo(const TrialRow& row);

 private:
  Site MakeSite(Holdings::Entry entry);
  std::string IdOf(const api::Node& node) const;
  void Join(Row row);
  void Leave(Row row);
  void DropIfUnused(Site site);
  // After the nodes of a site changed: who stands for it, its values, its presence and capacity.
  void Refresh(Site site);
  bool ReadValues(Site site);
  void SetPresent(Site site, bool present);
  void RefreshCapacity(Site site);
  void Grow(Site sites);
  int64_t* MutableColumn(ResourceId resource, bool empty);
  bool Before(Site a, Site b) const;
  void BuildLevels();

  const std::string flavor_;
  const NodeTable& nodes_;
  Holdings& holdings_;
  SpaceSpec spec_;
  uint64_t toleration_version_ = 0;

  // ---- by site
  std::vector<Holdings::Entry> entry_;  // kNone: a free number
  std::vector<std::vector<Row>> rows_;  // usable nodes first, then by name
  std::vector<uint32_t> values_;        // depth() numbers a site; the last of a host: none
  std::vector<uint8_t> present_;
  std::vector<uint8_t> placed_;  // in order_ with these values
  std::vector<uint32_t> position_;
  std::vector<std::vector<int64_t>> free_;  // by resource; empty column: nobody has any
  std::vector<std::vector<int64_t>> left_;  // free less usage
  std::vector<Site> free_sites_;
  NameTable value_names_;
  std::vector<Site> site_of_entry_;  // by holdings entry
  std::vector<Site> site_of_row_;    // by row of the node table

  // ---- structure
  std::vector<Site> order_;
  std::vector<Site> moved_;  // to be put into the order; may name one twice
  std::vector<Level> levels_;
  bool stale_ = true;
  uint64_t structure_ = 0;
  uint32_t present_count_ = 0;

  ChangeLog capacity_log_, match_log_;
};

// One number that a trial changed.
struct TrialRow {
  Space* space;
  ResourceId resource;
  Site site;
  int64_t left, free;
};

}  // namespace kueue::scheduling::topology
