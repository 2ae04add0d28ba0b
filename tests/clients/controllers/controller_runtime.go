package main

import (
	"context"
	"sync/atomic"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const finalizer = "kueue-cpp.dev/mirror"

var flavors = schema.GroupVersionKind{Group: "kueue.x-k8s.io", Version: "v1beta2", Kind: "ResourceFlavor"}

// Mirrors every source into a ResourceFlavor, which no namespace's object may own: a finalizer sees
// to it that the flavor goes first.
type mirrorer struct {
	client.Client
	reconciled *atomic.Int64
}

func (m *mirrorer) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	m.reconciled.Add(1)
	var from corev1.ConfigMap
	if err := m.Get(ctx, request.NamespacedName, &from); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	mirror := &unstructured.Unstructured{}
	mirror.SetGroupVersionKind(flavors)
	mirror.SetName(from.Name)
	if !from.DeletionTimestamp.IsZero() {
		if err := m.Delete(ctx, mirror); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		before := from.DeepCopy()
		if controllerutil.RemoveFinalizer(&from, finalizer) {
			return ctrl.Result{}, client.IgnoreNotFound(m.Patch(ctx, &from, client.MergeFrom(before)))
		}
		return ctrl.Result{}, nil
	}
	before := from.DeepCopy()
	if controllerutil.AddFinalizer(&from, finalizer) {
		if err := m.Patch(ctx, &from, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
	}
	_, err := controllerutil.CreateOrUpdate(ctx, m.Client, mirror, func() error {
		mirror.SetLabels(map[string]string{"role": "mirror"})
		return unstructured.SetNestedField(mirror.Object, from.Data["value"], "spec", "nodeLabels", "value")
	})
	return ctrl.Result{}, err
}

func runControllerRuntime(config *rest.Config, _ kubernetes.Interface,
	reconciled *atomic.Int64) func() (map[string]string, error) {
	ctrl.SetLogger(logr.Discard())
	manager, err := ctrl.NewManager(config, ctrl.Options{
		LeaderElection: true, LeaderElectionID: "mirror-runtime", LeaderElectionNamespace: namespace,
		Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		fail("manager: %v", err)
	}
	sources, _ := predicate.LabelSelectorPredicate(
		metav1.LabelSelector{MatchLabels: map[string]string{"role": "source"}})
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).WithEventFilter(sources).
		Complete(&mirrorer{manager.GetClient(), reconciled}); err != nil {
		fail("controller: %v", err)
	}
	ctx := context.Background()
	go func() {
		if err := manager.Start(ctx); err != nil {
			fail("manager: %v", err)
		}
	}()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		fail("the cache did not fill")
	}
	return func() (map[string]string, error) {
		found := &unstructured.UnstructuredList{}
		found.SetGroupVersionKind(flavors.GroupVersion().WithKind("ResourceFlavorList"))
		err := manager.GetAPIReader().List(ctx, found, client.MatchingLabels{"role": "mirror"})
		if err != nil {
			return nil, err
		}
		out := map[string]string{}
		for _, one := range found.Items {
			out[one.GetName()], _, _ = unstructured.NestedString(one.Object, "spec", "nodeLabels", "value")
		}
		return out, nil
	}
}
