#!/bin/sh
# model_worlds.sh PLAYER MODEL COUNT [FIRST]: the core plays random worlds whose outcomes the model
# computed, COUNT of each of its seven families, one by one and fused. Skipped where the model is not
# at hand.
set -eu
player=$1 model=$2 count=$3 first=${4:-700000}
if [ ! -f "$model/worlds.py" ] || ! command -v python3 >/dev/null; then
  echo "skipped: no model"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
python3 "$model/worlds.py" "$out" "$first" "$count" >/dev/null
"$player" --data "$out" --one-by-one
"$player" --data "$out"
