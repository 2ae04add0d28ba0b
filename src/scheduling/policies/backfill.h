#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduling/preemption/search.h"
#include "scheduling/world.h"

// Backfill with a reservation for the head (docs/using/backfill.md): of a BestEffortFIFO queue work
// may pass the first that waits only if that does not start later for it.
namespace kueue::scheduling {

struct Entry;

// When the first that waits can start, if everything that runs ends in time.
struct HeadReservation {
  WorkItem* holder = nullptr;
  base::Time start;
};

// In one view of the tree, under its journal; leaves the view as it was. `queue` must have a node.
class Backfill {
 public:
  Backfill(World& world, ClusterQueue& queue, base::Time now);

  // The reservation that `item` has to respect: of the first in front of it that can start at all.
  std::optional<HeadReservation> ReservationBefore(WorkItem* item);
  // The same of this very workload, which waits in the queue.
  std::optional<base::Time> StartOf(WorkItem* holder);

  // Why the entry, which fits once its victims are gone, has to wait for the first; nothing if it
  // may start: it ends before, or takes nothing that the first needs then.
  struct Hold {
    HeadReservation reservation;
    base::Time end;  // of the entry, would it start now
  };
  std::optional<Hold> Judge(const Entry& entry);

 private:
  struct Ending {
    base::Time at;
    WorkItem* item;
  };
  base::Time EndOf(const WorkItem& item, base::Time since) const;
  void CollectEndings();
  // Takes out whatever has ended by then.
  void TakeEnded(base::Time at);
  bool FitsNow(WorkItem* item);
  bool FitsWithout(WorkItem* item, size_t ended);

  World& world_;
  ClusterQueue& queue_;
  const base::Time now_;
  std::vector<Ending> endings_;  // of all that holds quota in the tree, the earliest first
};

// For people, as the end of a sentence: why it waits.
std::string Describe(const Backfill::Hold& hold);

}  // namespace kueue::scheduling
