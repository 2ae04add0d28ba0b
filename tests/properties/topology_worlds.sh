#!/bin/sh
# topology_worlds.sh PLAYER SHARED COUNT [FIRST]: the core plays topology worlds whose outcomes the model computed.
# Skipped where model and recorded data are not at hand.
set -eu
player=$1 shared=$2 count=$3 first=${4:-1}
if [ ! -f "$shared/model/play_topology.py" ] || ! command -v python3 >/dev/null; then
  echo "skipped: no model"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
python3 "$(dirname "$0")/topology_worlds.py" "$shared/model" "$shared/conformance/cycles" "$out" "$first" "$count"
"$player" --data "$out" --one-by-one
