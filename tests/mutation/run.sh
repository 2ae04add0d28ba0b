#!/usr/bin/env bash
# run.sh [NAME...]: breaks one rule of the decision after the other (src/scheduling/mutation.h) and
# expects that some test sees it. Prints which test that was; the rules that nothing sees are named
# at the end, and then the exit code is 1. Builds build/mutation.
set -uo pipefail
cd "$(dirname "$0")/../.."
bin=build/mutation/bin
data=../shared/conformance/cycles

[ -f build/mutation/build.ninja ] ||
  cmake --preset release -B build/mutation -DKUEUE_MUTATIONS=ON >/dev/null || exit 1
ninja -C build/mutation -j "${JOBS:-$(nproc)}" scheduling_test core_properties cycles_player \
  >/dev/null || { echo "does not build: ninja -C build/mutation"; exit 1; }

# The first test that fails with the rule broken; nothing if all pass. One that hangs fails, too.
seen_by() {
  timeout 60 "$bin/scheduling_test" --gtest_brief=1 >"$out" 2>&1 ||
    { sed -n 's/^\[  FAILED  \] \([^ ]*\).*/\1/p;t;' "$out" | head -1 | grep . || echo crash; return; }
  timeout 120 "$bin/core_properties" --worlds 30 --first 1 >/dev/null 2>&1 || { echo properties; return; }
  [ -d "$data" ] || return
  timeout 120 "$bin/cycles_player" --one-by-one >"$out" 2>&1 ||
    { sed -n 's/^\([a-zA-Z]*-[^:]*\): cycle.*/recorded cycles, \1/p' "$out" | head -1 | grep . || echo "recorded cycles"; }
}

out=$(mktemp)
trap 'rm -f "$out"' EXIT
number=0 survived="" seen=0
for name in $(sed -n '/kNoMutation/,/kMutations/s/^  \(k[A-Za-z]*\),$/\1/p' src/scheduling/mutation.h |
              grep -v '^kMutations$'); do
  number=$((number + 1))
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  by=$(KUEUE_MUTATION=$number seen_by)
  if [ -n "$by" ]; then
    seen=$((seen + 1))
    printf '%-32s %s\n' "$name" "$by"
  else
    survived+=" $name"
    printf '%-32s NOT SEEN\n' "$name"
  fi
done
echo "$seen broken rules seen$( [ -z "$survived" ] || echo ", not seen:$survived")"
[ -z "$survived" ]
