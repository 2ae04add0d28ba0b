#include "apiserver/protobuf_messages.h"

namespace kueue::apiserver::protobuf {

namespace {

// ---- the messages, by the field numbers Kubernetes publishes

const Message kNothing{{}};

const Message kOwnerReference{{{5, "apiVersion", Wire::kString},
                               {1, "kind", Wire::kString},
                               {3, "name", Wire::kString},
                               {4, "uid", Wire::kString},
                               {6, "controller", Wire::kBool},
                               {7, "blockOwnerDeletion", Wire::kBool}}};

const Message kObjectMeta{{{1, "name", Wire::kString},
                           {2, "generateName", Wire::kString},
                           {3, "namespace", Wire::kString},
                           {5, "uid", Wire::kString},
                           {6, "resourceVersion", Wire::kString},
                           {7, "generation", Wire::kInt},
                           {8, "creationTimestamp", Wire::kTime},
                           {9, "deletionTimestamp", Wire::kTime},
                           {10, "deletionGracePeriodSeconds", Wire::kInt, nullptr, false, true},
                           // Absent means the owners that are known, so nothing is lost.
                           {17, "", Wire::kMessage, &kNothing, true},
                           {11, "labels", Wire::kStringMap},
                           {12, "annotations", Wire::kStringMap},
                           {13, "ownerReferences", Wire::kMessage, &kOwnerReference, true},
                           {14, "finalizers", Wire::kString, nullptr, true}}};

const Message kPreconditions{{{1, "uid", Wire::kString}, {2, "resourceVersion", Wire::kString}}};

const Message kDeleteOptions{{{1, "gracePeriodSeconds", Wire::kInt, nullptr, false, true},
                              {2, "preconditions", Wire::kMessage, &kPreconditions},
                              {3, "orphanDependents", Wire::kBool, nullptr, false, true},
                              {4, "propagationPolicy", Wire::kString},
                              {5, "dryRun", Wire::kString, nullptr, true}}};

const Message kNamespaceSpec{{{1, "finalizers", Wire::kString, nullptr, true}}};
const Message kNamespace{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kNamespaceSpec}}};

const Message kConfigMap{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                          {4, "immutable", Wire::kBool},
                          {2, "data", Wire::kStringMap},
                          {3, "binaryData", Wire::kBytesMap}}};

const Message kSecret{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                       {5, "immutable", Wire::kBool},
                       {2, "data", Wire::kBytesMap},
                       {4, "stringData", Wire::kStringMap},
                       {3, "type", Wire::kString}}};

const Message kRequirement{{{1, "key", Wire::kString},
                            {2, "operator", Wire::kString},
                            {3, "values", Wire::kString, nullptr, true}}};
const Message kLabelSelector{{{1, "matchLabels", Wire::kStringMap},
                              {2, "matchExpressions", Wire::kMessage, &kRequirement, true}}};

const Message kEnvVar{{{1, "name", Wire::kString}, {2, "value", Wire::kString}}};
const Message kContainerPort{{{1, "name", Wire::kString},
                              {2, "hostPort", Wire::kInt},
                              {3, "containerPort", Wire::kInt},
                              {4, "protocol", Wire::kString},
                              {5, "hostIP", Wire::kString}}};
const Message kResources{{{1, "limits", Wire::kQuantityMap}, {2, "requests", Wire::kQuantityMap}}};
const Message kContainer{{{1, "name", Wire::kString},
                          {2, "image", Wire::kString},
                          {3, "command", Wire::kString, nullptr, true},
                          {4, "args", Wire::kString, nullptr, true},
                          {5, "workingDir", Wire::kString},
                          {6, "ports", Wire::kMessage, &kContainerPort, true},
                          {7, "env", Wire::kMessage, &kEnvVar, true},
                          {8, "resources", Wire::kMessage, &kResources},
                          {13, "terminationMessagePath", Wire::kString},
                          {20, "terminationMessagePolicy", Wire::kString},
                          {14, "imagePullPolicy", Wire::kString},
                          {24, "restartPolicy", Wire::kString},
                          {16, "stdin", Wire::kBool},
                          {17, "stdinOnce", Wire::kBool},
                          {18, "tty", Wire::kBool}}};

const Message kToleration{{{1, "key", Wire::kString},
                           {2, "operator", Wire::kString},
                           {3, "value", Wire::kString},
                           {4, "effect", Wire::kString},
                           {5, "tolerationSeconds", Wire::kInt, nullptr, false, true}}};
const Message kLocalObjectReference{{{1, "name", Wire::kString}}};
const Message kPodSpec{{{20, "initContainers", Wire::kMessage, &kContainer, true},
                        {2, "containers", Wire::kMessage, &kContainer, true},
                        {3, "restartPolicy", Wire::kString},
                        {4, "terminationGracePeriodSeconds", Wire::kInt, nullptr, false, true},
                        {5, "activeDeadlineSeconds", Wire::kInt, nullptr, false, true},
                        {6, "dnsPolicy", Wire::kString},
                        {7, "nodeSelector", Wire::kStringMap},
                        {8, "serviceAccountName", Wire::kString},
                        {9, "serviceAccount", Wire::kString},
                        {10, "nodeName", Wire::kString},
                        {11, "hostNetwork", Wire::kBool},
                        {15, "imagePullSecrets", Wire::kMessage, &kLocalObjectReference, true},
                        {19, "schedulerName", Wire::kString},
                        {22, "tolerations", Wire::kMessage, &kToleration, true},
                        {24, "priorityClassName", Wire::kString},
                        {25, "priority", Wire::kInt, nullptr, false, true},
                        {29, "runtimeClassName", Wire::kString},
                        {31, "preemptionPolicy", Wire::kString},
                        {32, "overhead", Wire::kQuantityMap}}};
const Message kPodTemplate{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kPodSpec}}};

const Message kJobSpec{{{1, "parallelism", Wire::kInt, nullptr, false, true},
                        {2, "completions", Wire::kInt, nullptr, false, true},
                        {3, "activeDeadlineSeconds", Wire::kInt, nullptr, false, true},
                        {7, "backoffLimit", Wire::kInt, nullptr, false, true},
                        {12, "backoffLimitPerIndex", Wire::kInt, nullptr, false, true},
                        {13, "maxFailedIndexes", Wire::kInt, nullptr, false, true},
                        {4, "selector", Wire::kMessage, &kLabelSelector},
                        {5, "manualSelector", Wire::kBool, nullptr, false, true},
                        {6, "template", Wire::kMessage, &kPodTemplate},
                        {8, "ttlSecondsAfterFinished", Wire::kInt, nullptr, false, true},
                        {9, "completionMode", Wire::kString},
                        {10, "suspend", Wire::kBool, nullptr, false, true},
                        {14, "podReplacementPolicy", Wire::kString},
                        {15, "managedBy", Wire::kString}}};
const Message kJobCondition{{{1, "type", Wire::kString},
                             {2, "status", Wire::kString},
                             {3, "lastProbeTime", Wire::kTime},
                             {4, "lastTransitionTime", Wire::kTime},
                             {5, "reason", Wire::kString},
                             {6, "message", Wire::kString}}};
const Message kUncounted{
    {{1, "succeeded", Wire::kString, nullptr, true}, {2, "failed", Wire::kString, nullptr, true}}};
const Message kJobStatus{{{1, "conditions", Wire::kMessage, &kJobCondition, true},
                          {2, "startTime", Wire::kTime},
                          {3, "completionTime", Wire::kTime},
                          {4, "active", Wire::kInt},
                          {5, "succeeded", Wire::kInt},
                          {6, "failed", Wire::kInt},
                          {11, "terminating", Wire::kInt, nullptr, false, true},
                          {7, "completedIndexes", Wire::kString},
                          {10, "failedIndexes", Wire::kString, nullptr, false, true},
                          {8, "uncountedTerminatedPods", Wire::kMessage, &kUncounted},
                          {9, "ready", Wire::kInt, nullptr, false, true}}};
const Message kJob{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                    {2, "spec", Wire::kMessage, &kJobSpec},
                    {3, "status", Wire::kMessage, &kJobStatus}}};
const Message kPod{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kPodSpec}}};

const Message kLeaseSpec{{{1, "holderIdentity", Wire::kString, nullptr, false, true},
                          {2, "leaseDurationSeconds", Wire::kInt, nullptr, false, true},
                          {3, "acquireTime", Wire::kMicroTime},
                          {4, "renewTime", Wire::kMicroTime},
                          {5, "leaseTransitions", Wire::kInt, nullptr, false, true},
                          {6, "strategy", Wire::kString},
                          {7, "preferredHolder", Wire::kString}}};
const Message kLease{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kLeaseSpec}}};

const Message kObjectReference{{{1, "kind", Wire::kString},
                                {2, "namespace", Wire::kString},
                                {3, "name", Wire::kString},
                                {4, "uid", Wire::kString},
                                {5, "apiVersion", Wire::kString},
                                {6, "resourceVersion", Wire::kString},
                                {7, "fieldPath", Wire::kString}}};
const Message kEventSource{{{1, "component", Wire::kString}, {2, "host", Wire::kString}}};
const Message kEventSeries{{{1, "count", Wire::kInt}, {2, "lastObservedTime", Wire::kMicroTime}}};
const Message kEvent{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                      {2, "involvedObject", Wire::kMessage, &kObjectReference},
                      {3, "reason", Wire::kString},
                      {4, "message", Wire::kString},
                      {5, "source", Wire::kMessage, &kEventSource},
                      {6, "firstTimestamp", Wire::kTime},
                      {7, "lastTimestamp", Wire::kTime},
                      {8, "count", Wire::kInt},
                      {9, "type", Wire::kString},
                      {10, "eventTime", Wire::kMicroTime},
                      {11, "series", Wire::kMessage, &kEventSeries},
                      {12, "action", Wire::kString},
                      {13, "related", Wire::kMessage, &kObjectReference},
                      {14, "reportingComponent", Wire::kString},
                      {15, "reportingInstance", Wire::kString}}};

const Message kEviction{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                         {2, "deleteOptions", Wire::kMessage, &kDeleteOptions}}};

const Message kResourceAttributes{{{1, "namespace", Wire::kString},
                                   {2, "verb", Wire::kString},
                                   {3, "group", Wire::kString},
                                   {4, "version", Wire::kString},
                                   {5, "resource", Wire::kString},
                                   {6, "subresource", Wire::kString},
                                   {7, "name", Wire::kString}}};
const Message kNonResourceAttributes{{{1, "path", Wire::kString}, {2, "verb", Wire::kString}}};
const Message kAccessReviewSpec{
    {{1, "resourceAttributes", Wire::kMessage, &kResourceAttributes},
     {2, "nonResourceAttributes", Wire::kMessage, &kNonResourceAttributes}}};
const Message kAccessReview{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                             {2, "spec", Wire::kMessage, &kAccessReviewSpec},
                             {3, "", Wire::kMessage, &kNothing}}};
const Message kSubjectReview{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "", Wire::kMessage, &kNothing}}};

const Message kCronJobTemplate{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kJobSpec}}};
const Message kCronJobSpec{{{1, "schedule", Wire::kString},
                            {8, "timeZone", Wire::kString},
                            {2, "startingDeadlineSeconds", Wire::kInt, nullptr, false, true},
                            {3, "concurrencyPolicy", Wire::kString},
                            {4, "suspend", Wire::kBool, nullptr, false, true},
                            {5, "jobTemplate", Wire::kMessage, &kCronJobTemplate},
                            {6, "successfulJobsHistoryLimit", Wire::kInt, nullptr, false, true},
                            {7, "failedJobsHistoryLimit", Wire::kInt, nullptr, false, true}}};
const Message kCronJob{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kCronJobSpec}}};

const Message kRollingUpdate{
    {{1, "maxUnavailable", Wire::kIntOrString}, {2, "maxSurge", Wire::kIntOrString}}};
const Message kStrategy{
    {{1, "type", Wire::kString}, {2, "rollingUpdate", Wire::kMessage, &kRollingUpdate}}};
const Message kDeploymentSpec{{{1, "replicas", Wire::kInt, nullptr, false, true},
                               {2, "selector", Wire::kMessage, &kLabelSelector},
                               {3, "template", Wire::kMessage, &kPodTemplate},
                               {4, "strategy", Wire::kMessage, &kStrategy},
                               {5, "minReadySeconds", Wire::kInt},
                               {6, "revisionHistoryLimit", Wire::kInt, nullptr, false, true},
                               {7, "paused", Wire::kBool},
                               {9, "progressDeadlineSeconds", Wire::kInt, nullptr, false, true}}};
const Message kDeployment{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kDeploymentSpec}}};

const Message kServicePort{{{1, "name", Wire::kString},
                            {2, "protocol", Wire::kString},
                            {6, "appProtocol", Wire::kString},
                            {3, "port", Wire::kInt},
                            {4, "targetPort", Wire::kIntOrString},
                            {5, "nodePort", Wire::kInt}}};
const Message kServiceSpec{{{1, "ports", Wire::kMessage, &kServicePort, true},
                            {2, "selector", Wire::kStringMap},
                            {3, "clusterIP", Wire::kString},
                            {18, "clusterIPs", Wire::kString, nullptr, true},
                            {4, "type", Wire::kString},
                            {5, "externalIPs", Wire::kString, nullptr, true},
                            {7, "sessionAffinity", Wire::kString},
                            {8, "loadBalancerIP", Wire::kString},
                            {9, "loadBalancerSourceRanges", Wire::kString, nullptr, true},
                            {10, "externalName", Wire::kString},
                            {11, "externalTrafficPolicy", Wire::kString},
                            {13, "publishNotReadyAddresses", Wire::kBool},
                            {19, "ipFamilies", Wire::kString, nullptr, true},
                            {17, "ipFamilyPolicy", Wire::kString},
                            {22, "internalTrafficPolicy", Wire::kString}}};
const Message kService{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kServiceSpec}}};

const Message kServiceAccount{
    {{1, "metadata", Wire::kMessage, &kObjectMeta},
     {2, "secrets", Wire::kMessage, &kObjectReference, true},
     {3, "imagePullSecrets", Wire::kMessage, &kLocalObjectReference, true},
     {4, "automountServiceAccountToken", Wire::kBool, nullptr, false, true}}};

const Message kScopeRequirement{{{1, "scopeName", Wire::kString},
                                 {2, "operator", Wire::kString},
                                 {3, "values", Wire::kString, nullptr, true}}};
const Message kScopeSelector{{{1, "matchExpressions", Wire::kMessage, &kScopeRequirement, true}}};
const Message kQuotaSpec{{{1, "hard", Wire::kQuantityMap},
                          {2, "scopes", Wire::kString, nullptr, true},
                          {3, "scopeSelector", Wire::kMessage, &kScopeSelector}}};
const Message kResourceQuota{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kQuotaSpec}}};

const Message kPolicyRule{{{1, "verbs", Wire::kString, nullptr, true},
                           {2, "apiGroups", Wire::kString, nullptr, true},
                           {3, "resources", Wire::kString, nullptr, true},
                           {4, "resourceNames", Wire::kString, nullptr, true},
                           {5, "nonResourceURLs", Wire::kString, nullptr, true}}};
const Message kAggregation{{{1, "clusterRoleSelectors", Wire::kMessage, &kLabelSelector, true}}};
const Message kRole{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                     {2, "rules", Wire::kMessage, &kPolicyRule, true},
                     {3, "aggregationRule", Wire::kMessage, &kAggregation}}};
const Message kSubject{{{1, "kind", Wire::kString},
                        {2, "apiGroup", Wire::kString},
                        {3, "name", Wire::kString},
                        {4, "namespace", Wire::kString}}};
const Message kRoleRef{
    {{1, "apiGroup", Wire::kString}, {2, "kind", Wire::kString}, {3, "name", Wire::kString}}};
const Message kRoleBinding{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                            {2, "subjects", Wire::kMessage, &kSubject, true},
                            {3, "roleRef", Wire::kMessage, &kRoleRef}}};

const Message kPriorityClass{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                              {2, "value", Wire::kInt, nullptr, false, true},
                              {3, "globalDefault", Wire::kBool},
                              {4, "description", Wire::kString},
                              {5, "preemptionPolicy", Wire::kString}}};

const Message kDisruptionSpec{{{1, "minAvailable", Wire::kIntOrString},
                               {2, "selector", Wire::kMessage, &kLabelSelector},
                               {3, "maxUnavailable", Wire::kIntOrString},
                               {4, "unhealthyPodEvictionPolicy", Wire::kString}}};
const Message kDisruptionBudget{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                                 {2, "spec", Wire::kMessage, &kDisruptionSpec},
                                 {3, "", Wire::kMessage, &kNothing}}};

const Message kBackendPort{{{1, "name", Wire::kString}, {2, "number", Wire::kInt}}};
const Message kBackendService{
    {{1, "name", Wire::kString}, {2, "port", Wire::kMessage, &kBackendPort}}};
const Message kTypedReference{
    {{1, "apiGroup", Wire::kString}, {2, "kind", Wire::kString}, {3, "name", Wire::kString}}};
const Message kBackend{{{4, "service", Wire::kMessage, &kBackendService},
                        {3, "resource", Wire::kMessage, &kTypedReference}}};
const Message kIngressPath{{{1, "path", Wire::kString},
                            {3, "pathType", Wire::kString},
                            {2, "backend", Wire::kMessage, &kBackend}}};
const Message kIngressHttp{{{1, "paths", Wire::kMessage, &kIngressPath, true}}};
const Message kIngressRuleValue{{{1, "http", Wire::kMessage, &kIngressHttp}}};
const Message kIngressRule{
    {{1, "host", Wire::kString}, {2, "", Wire::kInline, &kIngressRuleValue}}};
const Message kIngressTls{
    {{1, "hosts", Wire::kString, nullptr, true}, {2, "secretName", Wire::kString}}};
const Message kIngressSpec{{{4, "ingressClassName", Wire::kString},
                            {1, "defaultBackend", Wire::kMessage, &kBackend},
                            {2, "tls", Wire::kMessage, &kIngressTls, true},
                            {3, "rules", Wire::kMessage, &kIngressRule, true}}};
const Message kIngress{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kIngressSpec}}};

const Message kBoundReference{{{1, "kind", Wire::kString},
                               {2, "apiVersion", Wire::kString},
                               {3, "name", Wire::kString},
                               {4, "uid", Wire::kString}}};
const Message kTokenRequestSpec{{{1, "audiences", Wire::kString, nullptr, true},
                                 {4, "expirationSeconds", Wire::kInt, nullptr, false, true},
                                 {3, "boundObjectRef", Wire::kMessage, &kBoundReference}}};
const Message kTokenRequest{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                             {2, "spec", Wire::kMessage, &kTokenRequestSpec},
                             {3, "", Wire::kMessage, &kNothing}}};

const Message kScaleSpec{{{1, "replicas", Wire::kInt, nullptr, false, true}}};
const Message kScale{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                      {2, "spec", Wire::kMessage, &kScaleSpec},
                      {3, "", Wire::kMessage, &kNothing}}};

const Message kBinding{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                        {2, "target", Wire::kMessage, &kObjectReference}}};
const Message kRulesReviewSpec{{{1, "namespace", Wire::kString}}};
const Message kRulesReview{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                            {2, "spec", Wire::kMessage, &kRulesReviewSpec},
                            {3, "", Wire::kMessage, &kNothing}}};

struct Kind {
  const char* name;
  const Message* message;
};
const Kind kKinds[] = {
    {"CronJob", &kCronJob},
    {"Deployment", &kDeployment},
    {"Service", &kService},
    {"ServiceAccount", &kServiceAccount},
    {"ResourceQuota", &kResourceQuota},
    {"Role", &kRole},
    {"ClusterRole", &kRole},
    {"RoleBinding", &kRoleBinding},
    {"ClusterRoleBinding", &kRoleBinding},
    {"PriorityClass", &kPriorityClass},
    {"PodDisruptionBudget", &kDisruptionBudget},
    {"Ingress", &kIngress},
    {"TokenRequest", &kTokenRequest},
    {"Scale", &kScale},
    {"Namespace", &kNamespace},
    {"ConfigMap", &kConfigMap},
    {"Secret", &kSecret},
    {"Job", &kJob},
    {"Pod", &kPod},
    {"Lease", &kLease},
    {"Event", &kEvent},
    {"Eviction", &kEviction},
    {"DeleteOptions", &kDeleteOptions},
    {"SelfSubjectAccessReview", &kAccessReview},
    {"SelfSubjectReview", &kSubjectReview},
    {"SelfSubjectRulesReview", &kRulesReview},
    {"Binding", &kBinding},
};

const Message kTypeMeta{{{1, "apiVersion", Wire::kString}, {2, "kind", Wire::kString}}};

}  // namespace

const Message* MessageOfKind(std::string_view kind) {
  for (const Kind& known : kKinds) {
    if (kind == known.name) return known.message;
  }
  return nullptr;
}

const Message& TypeMetaMessage() { return kTypeMeta; }

}  // namespace kueue::apiserver::protobuf
