#!/usr/bin/env bash
# Admission webhooks and scales of the embedded server against those of a real one. Prints how many cases
# differ; exits 0 if none does. KUEUE: our binary.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${KUEUE_ORACLE_DIR:-$(cd "$here/../.." && pwd)/.cache/oracle}/bin
kueue=${KUEUE:-$here/../../build/release/bin/kueue}
"$here/build.sh" kubectl-1.36 etcd kube-apiserver
dir=$(mktemp -d)
trap '"$here/cluster.sh" down "$dir"; "$kueue" down --data-dir "$dir/ours" >/dev/null 2>&1 || true
      rm -rf "$dir"' EXIT
"$here/cluster.sh" up "$dir"
"$kueue" up --data-dir "$dir/ours" --in-memory >"$dir/ours.log" 2>&1 &
for ((i = 0; i < 300; i++)); do
  if "$bin/kubectl" --kubeconfig "$dir/ours/kubeconfig" get --raw /readyz >/dev/null 2>&1; then break; fi
  sleep 0.1
done
python3 "$here/scale_compare.py" "$dir/kubeconfig" "$dir/ours/kubeconfig" || failed=1
python3 "$here/webhooks_compare.py" "$dir/kubeconfig" "$dir/ours/kubeconfig" "$@" || failed=1
exit "${failed:-0}"
