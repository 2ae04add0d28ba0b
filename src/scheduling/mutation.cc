#include "scheduling/mutation.h"

#ifdef KUEUE_MUTATIONS
#include <cstdlib>

namespace kueue::scheduling {

bool Mutated(Mutation mutation) {
  static const int chosen = [] {
    const char* const number = std::getenv("KUEUE_MUTATION");
    return number == nullptr ? 0 : std::atoi(number);
  }();
  return mutation == chosen;
}

}  // namespace kueue::scheduling
#endif
