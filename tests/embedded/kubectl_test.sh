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

# What is looked up: outputs, explanations, what the server says about itself.
looks() {
  check "cluster-info" "control plane.* is running at" kubectl cluster-info
  check "api-resources by group" "workloads +kwl,kueueworkload,kueueworkloads +kueue.x-k8s.io/v1beta2 +true +Workload" \
    kubectl api-resources --api-group=kueue.x-k8s.io
  check "api-resources by verb" "^jobs.batch$" kubectl api-resources --verbs=list,watch --namespaced -o name
  check "explain a workload" "queueName" kubectl explain workload.spec
  check "explain says what a field means" "DESCRIPTION" kubectl explain workload.spec.queueName
  check "explain a job" "backoffLimit.*<integer>" kubectl explain job.spec
  check "explain a pod, all of it" "livenessProbe.*<Probe>" kubectl explain pod --recursive
  check "explain a list" "containers.*<\[\]Container>" kubectl explain pod.spec
  check "explain in the old version" "VERSION: +v1beta1" kubectl explain workload --api-version=kueue.x-k8s.io/v1beta1
  refused "explain what is not there" "field \"nothing\" does not exist" kubectl explain job.spec.nothing
  check "output as names" "^clusterqueue.kueue.x-k8s.io/research-cluster-queue$" kubectl get cq -o name
  check "wide output" "NAME +COHORT +STRATEGY +PENDING WORKLOADS" kubectl get cq -o wide
  check "output as JSON" "\"kind\": \"ClusterQueue\"" kubectl get cq research-cluster-queue -o json
  check "custom columns" "research-cluster-queue +BestEffortFIFO" \
    kubectl get cq -o custom-columns=NAME:.metadata.name,S:.spec.queueingStrategy
  check "a template" "research-cluster-queue;" kubectl get cq \
    -o 'go-template={{range .items}}{{.metadata.name}};{{end}}'
  check "sorted" "node-8" kubectl get nodes --sort-by=.metadata.name
  check "health, check by check" "\[\+\]etcd ok" kubectl get --raw '/readyz?verbose'
  check "one check" "^ok$" kubectl get --raw /livez/ping
  check "metrics" "apiserver_request_total\{" kubectl get --raw /metrics
  check "may I" "^yes$" kubectl auth can-i create jobs
}

# What is changed: diff, edit, patches of each sort, finalizers.
changes() {
  local map='{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"k":"old"}}'
  check "apply a map" "configmap/m (created|unchanged|configured)" kubectl apply -f - <<<"$map"
  check "no difference" "^$" kubectl diff -f - <<<"$map"
  differs "a difference" "\+ +k: new" "${map/old/new}"
  check "edit" "configmap/m edited" env KUBE_EDITOR='sed -i s/old/new/' "$k" --kubeconfig "$FOLDER/kubeconfig" edit cm m
  check "edited" "^new$" kubectl get cm m -o 'jsonpath={.data.k}{"\n"}'
  check "edit without a change" "no changes made|cancelled" \
    env KUBE_EDITOR=true "$k" --kubeconfig "$FOLDER/kubeconfig" edit cm m
  check "edit a queue" "edited" env KUBE_EDITOR="sed -i 's/stopPolicy: None/stopPolicy: Hold/'" \
    "$k" --kubeconfig "$FOLDER/kubeconfig" edit cq research-cluster-queue
  check "wait for a field" "condition met" kubectl wait --for=jsonpath='{.spec.stopPolicy}'=Hold \
    --timeout=10s cq/research-cluster-queue
  check "merge patch" "patched" kubectl patch cq research-cluster-queue --type=merge -p '{"spec":{"stopPolicy":"None"}}'
  check "strategic patch" "patched" kubectl patch cm m -p '{"data":{"l":"2"},"metadata":{"finalizers":["example.com/held"]}}'
  check "json patch" "patched" kubectl patch cm m --type=json -p '[{"op":"add","path":"/data/n","value":"3"}]'
  check "the patches" "^new23$" kubectl get cm m -o 'jsonpath={.data.k}{.data.l}{.data.n}{"\n"}'
  check "labels" "labeled" kubectl label cm m a=b
  refused "a label is not changed by mistake" "already has a value" kubectl label cm m a=c
  check "a label is changed" "labeled" kubectl label cm m a=c --overwrite
  check "a label is taken away" "unlabeled" kubectl label cm m a-
  check "an annotation" "annotated" kubectl annotate cm m note=x
  check "deleting waits for finalizers" "deleted" kubectl delete cm m --wait=false
  check "it is still there" "example.com/held" kubectl get cm m -o 'jsonpath={.metadata.finalizers}'
  check "the finalizer goes" "patched" kubectl patch cm m --type=merge -p '{"metadata":{"finalizers":null}}'
  refused "and with it the object" "not found" kubectl get cm m
  check "create in every way" "deployment.apps/web created" kubectl create deployment web --image=example.com/app:1
  check "a cronjob" "cronjob.batch/often created" \
    kubectl create cronjob often --image=example.com/app:1 --schedule='*/5 * * * *'
  check "a job of it" "job.batch/now created" kubectl create job now --from=cronjob/often
  check "both go" "deleted" kubectl delete deployment/web cronjob/often job/now
}

# differs TEXT PATTERN MANIFEST: kubectl diff ends with 1 and shows the pattern.
differs() {
  local out status=0
  out=$(kubectl diff -f - <<<"$3" 2>&1) || status=$?
  if [ "$status" = 1 ] && grep -qE -- "$2" <<<"$out"; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1)); echo "FAILED: $1 (exit $status)"; sed 's/^/  | /' <<<"$out" | head -20
  fi
}

# Why a job waits that asks for more than there is.
explains() {
  local ctl=("$KUEUE" ctl explain --kubeconfig "$FOLDER/kubeconfig")
  check "explain one that ended" "Job one\) has finished" "${ctl[@]}" job/one
  check "a large job" "created" kubectl apply -f - \
    < <(job large 2 | sed -e 's/\(parallelism\|completions\): 2/\1: 90/')
  check "is looked at" "condition met" kubectl wait --for=jsonpath='{.metadata.name}' --timeout=10s job/large
  check "what it lacks" "a100 +nvidia.com/gpu +\+82|default-flavor +cpu +\+280" "${ctl[@]}" jobs/large
  refused "explain nothing" "no workload of job 'nothing'" "${ctl[@]}" job/nothing
  check "delete the large job" "deleted" kubectl delete job large
}

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
  looks
  changes
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
  explains
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
  check "who am I" "kueue-owner" kubectl auth whoami
  check "the owner may do all" "yes" kubectl auth can-i '*' '*'
  check "a namespace has its account" "default" kubectl get serviceaccounts -n default
  check "a token" "\\." kubectl create token default
  check "add a user" "users/eve.kubeconfig" "$KUEUE" user add eve --group research --data-dir "$FOLDER"
  eve() { "$k" --kubeconfig "$FOLDER/users/eve.kubeconfig" "$@"; }
  check "eve is who she is" "research" eve auth whoami
  refused "eve may do nothing yet" 'User "eve" cannot list resource "jobs" in API group "batch" in the namespace "default"' eve get jobs
  check "bind a role" "created" kubectl create rolebinding research --clusterrole=kueue-batch-user-role --group=research
  check "eve may list jobs" "yes" eve auth can-i list jobs
  check "and does" "^" eve get jobs
  refused "but not write queues" "cannot create|forbidden" eve create -f examples/research/queues.yaml
  check "what eve may do" "localqueues" eve auth can-i --list
  check "acting as eve" "yes" kubectl auth can-i list jobs --as eve --as-group research
  check "unbind" "deleted" kubectl delete rolebinding research
  check "a quota" "created" kubectl create quota q --hard=configmaps=2
  refused "is kept" "exceeded quota: q" bash -c "for i in 1 2 3; do '$k' --kubeconfig '$FOLDER/kubeconfig' create configmap c\$i || exit 1; done"
  check "no quota" "deleted" kubectl delete quota q
  check "no config maps" "deleted" kubectl delete configmap c1 --ignore-not-found
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
