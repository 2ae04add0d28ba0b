#pragma once

// Rules that can be broken on purpose, one at a time, to learn whether some test would see it
// (tests/mutation). Only in builds with KUEUE_MUTATIONS; elsewhere nothing is left of it.
namespace kueue::scheduling {

enum Mutation {
  kNoMutation = 0,
  kTournamentTakesLargestShare,
  kTournamentTakesLowestPriority,
  kTournamentForgetsBorrowing,
  kTournamentForgetsPreemptors,
  kShareForgetsWeight,
  kWeightZeroIsOrdinary,
  kShareCountsNominal,
  kAvailableCountsDebt,
  kBorrowingLimitIsIgnored,
  kAtNominalBorrows,
  kLendingLimitIsIgnored,
  kLowerPriorityTakesEqual,
  kEqualPriorityTakesOlder,
  kOwnVictimsFirst,
  kNobodyIsFilledBack,
  kAttemptMayAlwaysBorrow,
  kHighestPriorityGoesFirst,
  kOldestReservationGoesFirst,
  kLeavingGoInTurn,
  kBorrowerTakesAnybody,
  kTakesBelowNominal,
  kNoAdvantageAbove,
  kBorrowsFirst,
  kFinalShareMayNotBeEqual,
  kNoSecondStrategy,
  kFirstOfEqualCohorts,
  kEqualShareEndsAll,
  kLowestPriorityIsHead,
  kYoungestIsHead,
  kWakeUpIsMissed,
  kUntriedFlavorsAreForgotten,
  kNoStickyHead,
  kShapesAreTriedOneByOne,
  kWaitingIsHopeless,
  kBorrowingIsNotCompared,
  kHopelessFlavorIsBetter,
  kStopsToPreempt,
  kStopsToBorrow,
  kLastFlavorIsNotTheEnd,
  kBorrowersAreProcessedFirst,
  kEverybodyReserves,
  kVictimsAreShared,
  kMutations,
};

#ifdef KUEUE_MUTATIONS
// Whether the rule is the one that environment variable KUEUE_MUTATION names by number.
bool Mutated(Mutation mutation);
#else
constexpr bool Mutated(Mutation) { return false; }
#endif

}  // namespace kueue::scheduling
