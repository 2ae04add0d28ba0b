#!/usr/bin/env bash
# Shows that the oracle works here: builds what it needs, starts a control plane, creates a Job with
# kubectl and reads it back, stops everything. Prints `cluster smoke: ok` and exits 0 if so.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${KUEUE_ORACLE_DIR:-$(cd "$here/../.." && pwd)/.cache/oracle}/bin

fail() {
  echo "cluster smoke: $*" >&2
  exit 1
}

"$here/build.sh" kubectl-1.36 etcd kube-apiserver
dir=$(mktemp -d)
trap '"$here/cluster.sh" down "$dir"; rm -rf "$dir"' EXIT
"$here/cluster.sh" up "$dir"
export KUBECONFIG=$dir/kubeconfig KUBECACHEDIR=$dir/discovery

client=$("$bin/kubectl" version --client | sed -n 's/^Client Version: //p')
server=$("$bin/kubectl" get --raw /version | sed -n 's/.*"gitVersion": "\([^"]*\)".*/\1/p')
[[ $client == v1.36.* && $server == "$client" ]] ||
  fail "kubectl says '$client' and the server '$server'; both should be the same v1.36.x"

"$bin/kubectl" create -f - <<'JOB'
apiVersion: batch/v1
kind: Job
metadata: {name: smoke, namespace: default}
spec:
  suspend: true
  parallelism: 2
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: example.com/none, resources: {requests: {cpu: 500m}}}
JOB
# backoffLimit was not sent: only a server that defaulted the object can give it back.
fields='{.spec.suspend} {.spec.parallelism} {.spec.backoffLimit} {.metadata.generation}'
got=$("$bin/kubectl" get job smoke -n default -o jsonpath="$fields")
[[ $got == 'true 2 6 1' ]] || fail "the Job came back as '$got' instead of 'true 2 6 1'"

source "$dir/env"
"$here/cluster.sh" down "$dir"
for pid in "$APISERVER_PID" "$ETCD_PID"; do
  # A dead process that nobody has collected yet (Z) counts as gone.
  if ps -o stat= -p "$pid" | grep -q '^[^Z]'; then fail "process $pid is still there after down"; fi
done
echo "cluster smoke: ok"
