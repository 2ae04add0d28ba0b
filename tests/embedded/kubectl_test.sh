#!/usr/bin/env bash
# Drives the embedded cluster with kubectl as a user would: queues, a job, watching it run, deleting.
# Usage: kubectl_test.sh [KUBECTL...]; default: those the test bed has built.
set -uo pipefail
cd "$(dirname "$0")/../.."
KUEUE="${KUEUE:-build/release/bin/kueue}"
FOLDER=$(mktemp -d)
PASSED=0 FAILED=0
trap '"$KUEUE" down --data-dir "$FOLDER" >/dev/null 2>&1; rm -rf "$FOLDER"' EXIT

# check TEXT PATTERN COMMAND...: the command succeeds and prints the pattern.
check() {
  local text="$1" pattern="$2" out
  shift 2
  if out=$("$@" 2>&1) && grep -qE -- "$pattern" <<<"$out"; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1))
    echo "FAILED: $text"
    echo "  $*"
    sed 's/^/  | /' <<<"$out" | head -20
  fi
}

refused() {
  local text="$1" pattern="$2" out
  shift 2
  if out=$("$@" 2>&1); then
    FAILED=$((FAILED + 1)); echo "FAILED: $text: it was accepted"
  elif grep -qE -- "$pattern" <<<"$out"; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1)); echo "FAILED: $text"; sed 's/^/  | /' <<<"$out"
  fi
}

job() { sed -e "s/generateName: train-/name: $1/" -e "s/run-seconds: \"20\"/run-seconds: \"$2\"/" examples/research/job.yaml; }

session() {
  local k="$1"
  kubectl() { "$k" --kubeconfig "$FOLDER/kubeconfig" "$@"; }
  apply_job() { job "$1" "$2" | kubectl apply -f -; }
  check "version" "Server Version: v1.36" kubectl version
  check "api-versions" "kueue.x-k8s.io/v1beta2" kubectl api-versions
  check "api-resources" "clusterqueues +cq" kubectl api-resources
  check "nodes" "node-1 +Ready" kubectl get nodes
  check "apply queues" "clusterqueue.kueue.x-k8s.io/research-cluster-queue (created|unchanged)" \
    kubectl apply -f examples/research/queues.yaml
  check "apply again changes nothing" "research-cluster-queue unchanged" \
    kubectl apply -f examples/research/queues.yaml
  check "get by short name" "research-cluster-queue" kubectl get cq
  check "get queues" "robotics-queue +research-cluster-queue" kubectl get queues
  check "queue becomes active" "condition met" \
    kubectl wait --for=condition=Active --timeout=20s cq/research-cluster-queue
  check "apply a job" "job.batch/one created" apply_job one 2
  check "the job runs to its end" "condition met" kubectl wait --for=condition=Complete --timeout=40s job/one
  check "its pods" "Completed" kubectl get pods
  check "its workload" "computer-vision-queue +research-cluster-queue +True +True" kubectl get workloads
  check "describe the workload" "QuotaReserved" kubectl describe workloads
  check "describe the job" "Completed|CreatedWorkload" kubectl describe job one
  check "events" "CreatedWorkload" kubectl get events
  check "yaml" "kind: ClusterQueue" kubectl get cq research-cluster-queue -o yaml
  check "jsonpath" "80" kubectl get cq research-cluster-queue \
    -o 'jsonpath={.spec.resourceGroups[0].flavors[0].resources[0].nominalQuota}'
  check "label" "labeled" kubectl label job one team=vision
  check "annotate" "annotated" kubectl annotate job one note=x
  check "select by label" "job.batch/one" kubectl get jobs -l team=vision -o name
  check "patch a quota" "patched" kubectl patch cq research-cluster-queue --type=json \
    -p '[{"op":"replace","path":"/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota","value":"90"}]'
  check "delete the job" "job.batch \"one\" deleted" kubectl delete job one
  check "its pods go with it" "^" kubectl wait --for=delete --timeout=20s pods -l job-name=one
  refused "an unknown field is named" "spec.queueingStrategi" kubectl create -f - <<<'{"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"x"},"spec":{"queueingStrategi":"StrictFIFO"}}'
  refused "a bad value names its field" "spec.queueingStrategy" kubectl create -f - <<<'{"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"x"},"spec":{"queueingStrategy":"Lifo"}}'
  refused "a missing object" "not found" kubectl get job nothing
  check "delete queues" "deleted" kubectl delete -f examples/research/queues.yaml
}

[ $# -gt 0 ] || set -- .cache/oracle/bin/kubectl-1.36 .cache/oracle/bin/kubectl-1.29
"$KUEUE" up --data-dir "$FOLDER" --nodes '8x(cpu=10,memory=20Gi,nvidia.com/gpu=1)' >"$FOLDER/log" 2>&1 &
for _ in $(seq 100); do grep -q "kueue is up" "$FOLDER/log" && break; sleep 0.1; done
grep -q "kueue is up" "$FOLDER/log" || { cat "$FOLDER/log"; exit 1; }
for kubectl in "$@"; do
  [ -x "$kubectl" ] || { echo "left out: no $kubectl"; continue; }
  session "$kubectl"
done
echo "kubectl: $PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
