#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of the queues: ClusterQueue, Cohort, LocalQueue (spec/api.md §2.4-§2.5, §5-§7).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<ResourceQuota>() {
  using S = ResourceQuota;
  static const StructDescriptor table =
      MakeTable<S>("ResourceQuota", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required()
            .Doc("The resource, one of the group's covered resources.");
        t.Field<&S::nominal_quota>("nominalQuota").Required().AlwaysWritten()
            .Doc("How much of the resource this node of the tree has of its own.");
        t.Field<&S::borrowing_limit>("borrowingLimit")
            .Doc("The most it may use above the nominal quota; absent means no limit.");
        t.Field<&S::lending_limit>("lendingLimit")
            .Doc("The most of the nominal quota others may use; absent means all of it.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<FlavorQuotas>() {
  using S = FlavorQuotas;
  static const StructDescriptor table =
      MakeTable<S>("FlavorQuotas", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().ObjectName()
            .Doc("The ResourceFlavor; it need not exist yet.");
        t.Field<&S::resources>("resources").Required().MapBy("name").Items(1, 64)
            .Doc("One entry for each covered resource, in that order.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ResourceGroup>() {
  using S = ResourceGroup;
  static const StructDescriptor table =
      MakeTable<S>("ResourceGroup", kComplete, [](TableBuilder& t) {
        t.Field<&S::covered_resources>("coveredResources").Required().Atomic()
            .Items(1, 64).Doc("The resources this group decides about.");
        t.Field<&S::flavors>("flavors").Required().MapBy("name").Items(1, 64)
            .Doc("The flavors in the order they are tried.");
        t.Rule("self.flavors.all(f, size(f.resources) == size(self.coveredResources))",
               "every flavor must have as many resources as the group covers");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<FairSharing>() {
  using S = FairSharing;
  static const StructDescriptor table = MakeTable<S>("FairSharing", kComplete, [](TableBuilder& t) {
    t.Field<&S::weight>("weight").Default("1")
        .Doc("The share compared with the siblings; 0 yields to everybody.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<FairSharingStatus>() {
  using S = FairSharingStatus;
  static const StructDescriptor table =
      MakeTable<S>("FairSharingStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::weighted_share>("weightedShare").Required().AlwaysWritten()
            .Doc("Usage above nominal relative to what can be lent, divided by the weight.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionScope>() {
  using S = AdmissionScope;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionScope", kComplete, [](TableBuilder& t) {
        t.Field<&S::admission_mode>("admissionMode").Required()
            .Enum({"UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing"})
            .Doc("Whether past usage of the LocalQueues orders admissions.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<FlavorFungibility>() {
  using S = FlavorFungibility;
  static const StructDescriptor table =
      MakeTable<S>("FlavorFungibility", kComplete, [](TableBuilder& t) {
        t.Field<&S::when_can_borrow>("whenCanBorrow").Default("\"MayStopSearch\"")
            .Enum({"MayStopSearch", "TryNextFlavor"})
            .Doc("What follows when a flavor fits only by borrowing.");
        t.Field<&S::when_can_preempt>("whenCanPreempt").Default("\"TryNextFlavor\"")
            .Enum({"MayStopSearch", "TryNextFlavor"})
            .Doc("What follows when a flavor fits only by preemption.");
        t.Field<&S::preference>("preference")
            .Enum({"BorrowingOverPreemption", "PreemptionOverBorrowing"})
            .Doc("Which of the two is better; absent means borrowing.");
        t.Rule("!has(self.preference) || (has(self.whenCanBorrow) && has(self.whenCanPreempt) && "
               "self.whenCanBorrow == 'TryNextFlavor' && self.whenCanPreempt == 'TryNextFlavor')",
               "a preference needs TryNextFlavor for borrowing and for preemption");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<BorrowWithinCohort>() {
  using S = BorrowWithinCohort;
  static const StructDescriptor table =
      MakeTable<S>("BorrowWithinCohort", kComplete, [](TableBuilder& t) {
        t.Field<&S::policy>("policy").Default("\"Never\"").Enum({"Never", "LowerPriority"})
            .Doc("Whether a borrowing workload may preempt in the cohort.");
        t.Field<&S::max_priority_threshold>("maxPriorityThreshold")
            .Doc("Only workloads at or below this priority are preempted so.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ClusterQueuePreemption>() {
  using S = ClusterQueuePreemption;
  static const StructDescriptor table =
      MakeTable<S>("ClusterQueuePreemption", kComplete, [](TableBuilder& t) {
        t.Field<&S::reclaim_within_cohort>("reclaimWithinCohort").Default("\"Never\"")
            .Enum({"Never", "LowerPriority", "Any"})
            .Doc("Whose borrowed quota is taken back by preemption.");
        t.Field<&S::borrow_within_cohort>("borrowWithinCohort").Default("{}")
            .Doc("Preemption while borrowing.");
        t.Field<&S::within_cluster_queue>("withinClusterQueue").Default("\"Never\"")
            .Enum({"Never", "LowerPriority", "LowerOrNewerEqualPriority"})
            .Doc("Which workloads of the same queue are preempted.");
        t.Rule("!(has(self.reclaimWithinCohort) && self.reclaimWithinCohort == 'Never' && "
               "has(self.borrowWithinCohort) && self.borrowWithinCohort.policy != 'Never')",
               "borrowWithinCohort must be Never while reclaimWithinCohort is");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckStrategyRule>() {
  using S = AdmissionCheckStrategyRule;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckStrategyRule", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Length(1, 316)
            .Doc("The AdmissionCheck.");
        t.Field<&S::on_flavors>("onFlavors").Set().MaxItems(64).ItemObjectName()
            .Doc("The flavors it is asked for; empty means all.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionChecksStrategy>() {
  using S = AdmissionChecksStrategy;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionChecksStrategy", kComplete, [](TableBuilder& t) {
        t.Field<&S::admission_checks>("admissionChecks").Required().MapBy("name")
            .Items(1, 64).Doc("The checks and the flavors they apply to.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConcurrentAdmissionConstraints>() {
  using S = ConcurrentAdmissionConstraints;
  static const StructDescriptor table =
      MakeTable<S>("ConcurrentAdmissionConstraints", kComplete, [](TableBuilder& t) {
        t.Field<&S::last_acceptable_flavor_name>("lastAcceptableFlavorName").ObjectName()
            .Doc("The last flavor, in the queue's order, a workload may migrate to.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConcurrentAdmissionMigration>() {
  using S = ConcurrentAdmissionMigration;
  static const StructDescriptor table =
      MakeTable<S>("ConcurrentAdmissionMigration", kComplete, [](TableBuilder& t) {
        t.Field<&S::mode>("mode").Required().MaxLength(253)
            .Enum({"TryPreferredFlavors", "RetainFirstAdmission"})
            .Doc("Whether an admitted workload moves to a better flavor.");
        t.Field<&S::constraints>("constraints").Doc("Limits to migration.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConcurrentAdmissionPolicy>() {
  using S = ConcurrentAdmissionPolicy;
  static const StructDescriptor table =
      MakeTable<S>("ConcurrentAdmissionPolicy", kComplete, [](TableBuilder& t) {
        t.Field<&S::migration>("migration").Required()
            .Doc("What happens after the first admission.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ClusterQueueSpec>() {
  using S = ClusterQueueSpec;
  static const StructDescriptor table =
      MakeTable<S>("ClusterQueueSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::resource_groups>("resourceGroups").Atomic().MaxItems(16)
            .Doc("Quotas by resource and flavor.");
        t.Field<&S::cohort_name>("cohortName").ObjectName()
            .Doc("The cohort to share quota in; absent means no borrowing and no lending.");
        t.Field<&S::queueing_strategy>("queueingStrategy").Default("\"BestEffortFIFO\"")
            .Enum({"StrictFIFO", "BestEffortFIFO"})
            .Doc("Whether a workload that cannot be admitted blocks those behind it.");
        t.Field<&S::namespace_selector>("namespaceSelector").Atomic()
            .Doc("Namespaces that may use the queue; absent selects none, {} all.");
        t.Field<&S::flavor_fungibility>("flavorFungibility").Default("{}")
            .Doc("When to try the next flavor.");
        t.Field<&S::preemption>("preemption").Default("{}")
            .Doc("Which workloads may be preempted.");
        t.Field<&S::admission_checks_strategy>("admissionChecksStrategy")
            .Doc("Checks to pass before admission.");
        t.Field<&S::stop_policy>("stopPolicy").Default("\"None\"")
            .Enum({"None", "Hold", "HoldAndDrain"})
            .Doc("Stops admission; HoldAndDrain evicts as well.");
        t.Field<&S::fair_sharing>("fairSharing").Doc("The queue's weight.");
        t.Field<&S::admission_scope>("admissionScope")
            .Doc("Fair sharing between the queue's LocalQueues.");
        t.Field<&S::concurrent_admission_policy>("concurrentAdmissionPolicy").Immutable()
            .Doc("Racing several flavors for one workload.");
        t.Rule("has(self.cohortName) || !has(self.resourceGroups) || self.resourceGroups.all(g, "
               "g.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit))))",
               "a borrowingLimit needs a cohort");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ResourceUsage>() {
  using S = ResourceUsage;
  static const StructDescriptor table =
      MakeTable<S>("ResourceUsage", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Doc("The resource.");
        t.Field<&S::total>("total").AlwaysWritten().Doc("How much is used.");
        t.Field<&S::borrowed>("borrowed").AlwaysWritten().Doc("The part above the nominal quota.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<FlavorUsage>() {
  using S = FlavorUsage;
  static const StructDescriptor table = MakeTable<S>("FlavorUsage", kComplete, [](TableBuilder& t) {
    t.Field<&S::name>("name").Required().ObjectName().Doc("The flavor.");
    t.Field<&S::resources>("resources").Required().MapBy("name").MaxItems(64)
        .Doc("Usage by resource.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ClusterQueueStatus>() {
  using S = ClusterQueueStatus;
  static const StructDescriptor table =
      MakeTable<S>("ClusterQueueStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions").MapBy("type").MaxItems(16)
            .Doc("Active says whether the queue admits.");
        t.Field<&S::flavors_reservation>("flavorsReservation").MapBy("name").MaxItems(64)
            .Doc("Quota reserved by workloads.");
        t.Field<&S::flavors_usage>("flavorsUsage").MapBy("name").MaxItems(64)
            .Doc("Quota of admitted workloads.");
        t.Field<&S::pending_workloads>("pendingWorkloads").AlwaysWritten()
            .Doc("Workloads that wait.");
        t.Field<&S::reserving_workloads>("reservingWorkloads").AlwaysWritten()
            .Doc("Workloads that hold quota.");
        t.Field<&S::admitted_workloads>("admittedWorkloads").AlwaysWritten()
            .Doc("Workloads that are admitted and not finished.");
        t.Field<&S::fair_sharing>("fairSharing").Doc("The queue's present share.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ClusterQueue>() {
  using S = ClusterQueue;
  static const StructDescriptor table =
      MakeTable<S>("ClusterQueue", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("Quotas and rules.");
        t.Field<&S::status>("status").Doc("Usage.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<CohortSpec>() {
  using S = CohortSpec;
  static const StructDescriptor table = MakeTable<S>("CohortSpec", kComplete, [](TableBuilder& t) {
    t.Field<&S::parent_name>("parentName").ObjectName()
        .Doc("The parent; absent makes this the root. It need not exist.");
    t.Field<&S::resource_groups>("resourceGroups").Atomic().MaxItems(16)
        .Doc("Quotas on top of those of the members.");
    t.Field<&S::fair_sharing>("fairSharing").Doc("The cohort's weight.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<CohortStatus>() {
  using S = CohortStatus;
  static const StructDescriptor table =
      MakeTable<S>("CohortStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::fair_sharing>("fairSharing").Doc("The cohort's present share.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Cohort>() {
  using S = Cohort;
  static const StructDescriptor table =
      MakeTable<S>("Cohort", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("Place in the tree and quotas.");
        t.Field<&S::status>("status").Doc("Share.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LocalQueueSpec>() {
  using S = LocalQueueSpec;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueueSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::cluster_queue>("clusterQueue").ObjectName()
            .Rule("self == oldSelf", "may not be changed to another queue")
            .Doc("The ClusterQueue behind this queue; cannot be changed to another.");
        t.Field<&S::stop_policy>("stopPolicy").Default("\"None\"")
            .Enum({"None", "Hold", "HoldAndDrain"})
            .Doc("Stops admission; HoldAndDrain evicts as well.");
        t.Field<&S::fair_sharing>("fairSharing")
            .Doc("The weight among the ClusterQueue's LocalQueues.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LocalQueueResourceUsage>() {
  using S = LocalQueueResourceUsage;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueueResourceUsage", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Doc("The resource.");
        t.Field<&S::total>("total").AlwaysWritten().Doc("How much is used.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LocalQueueFlavorUsage>() {
  using S = LocalQueueFlavorUsage;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueueFlavorUsage", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().ObjectName().Doc("The flavor.");
        t.Field<&S::resources>("resources").Required().MapBy("name").MaxItems(64)
            .Doc("Usage by resource.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionFairSharingStatus>() {
  using S = AdmissionFairSharingStatus;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionFairSharingStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::consumed_resources>("consumedResources").Required().AlwaysWritten()
            .Doc("Usage over time, older use counting less.");
        t.Field<&S::last_update>("lastUpdate").Required().Doc("When the usage was computed.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LocalQueueFairSharingStatus>() {
  using S = LocalQueueFairSharingStatus;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueueFairSharingStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::weighted_share>("weightedShare").Required().AlwaysWritten()
            .Doc("The queue's share.");
        t.Field<&S::admission_fair_sharing_status>("admissionFairSharingStatus")
            .Doc("What the share is made from.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LocalQueueStatus>() {
  using S = LocalQueueStatus;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueueStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions").MapBy("type").MaxItems(16)
            .Doc("Active says whether workloads are admitted.");
        t.Field<&S::pending_workloads>("pendingWorkloads").AlwaysWritten()
            .Doc("Workloads that wait.");
        t.Field<&S::reserving_workloads>("reservingWorkloads").AlwaysWritten()
            .Doc("Workloads that hold quota.");
        t.Field<&S::admitted_workloads>("admittedWorkloads").AlwaysWritten()
            .Doc("Workloads that are admitted and not finished.");
        t.Field<&S::flavors_reservation>("flavorsReservation").MapBy("name").MaxItems(64)
            .Doc("Quota reserved by workloads.");
        t.Field<&S::flavors_usage>("flavorsUsage").MapBy("name").MaxItems(64)
            .Doc("Quota of admitted workloads.");
        t.Field<&S::fair_sharing>("fairSharing").Doc("Usage for admission fair sharing.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LocalQueue>() {
  using S = LocalQueue;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueue", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("The ClusterQueue behind this queue.");
        t.Field<&S::status>("status").Doc("Usage.");
      });
  return table;
}

}  // namespace kueue::api
