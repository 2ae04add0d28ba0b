package main

import (
	"context"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
)

// Mirrors every source into a Secret that the source owns.
func runClientGo(client kubernetes.Interface, reconciled *atomic.Int64) func() (map[string]string, error) {
	ctx := context.Background()
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(
		&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "mirror"})
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = "role=source" }))
	sources := factory.Core().V1().ConfigMaps()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	enqueue := func(object any) {
		if key, err := cache.MetaNamespaceKeyFunc(object); err == nil {
			queue.Add(key)
		}
	}
	sources.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, now any) { enqueue(now) }})

	reconcile := func(key string) error {
		reconciled.Add(1)
		_, name, _ := cache.SplitMetaNamespaceKey(key)
		from, err := sources.Lister().ConfigMaps(namespace).Get(name)
		if apierrors.IsNotFound(err) {
			return nil // the garbage collector takes the mirror
		}
		mirror := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace,
				Labels: map[string]string{"role": "mirror"},
				OwnerReferences: []metav1.OwnerReference{
					*metav1.NewControllerRef(from, corev1.SchemeGroupVersion.WithKind("ConfigMap"))}},
			Data: map[string][]byte{"value": []byte(from.Data["value"])},
		}
		_, err = client.CoreV1().Secrets(namespace).Create(ctx, mirror, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			_, err = client.CoreV1().Secrets(namespace).Update(ctx, mirror, metav1.UpdateOptions{})
		}
		if err == nil {
			recorder.Event(from, corev1.EventTypeNormal, "Mirrored", "the mirror is up to date")
		}
		return err
	}
	work := func(ctx context.Context) {
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		for i := 0; i < 4; i++ {
			go func() {
				for {
					key, down := queue.Get()
					if down {
						return
					}
					if err := reconcile(key); err != nil {
						queue.AddRateLimited(key)
					} else {
						queue.Forget(key)
					}
					queue.Done(key)
				}
			}()
		}
	}
	lock := &resourcelock.LeaseLock{
		LeaseMeta: metav1.ObjectMeta{Name: "mirror", Namespace: namespace},
		Client:    client.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: "me"}}
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
		RetryPeriod: time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: work, OnStoppedLeading: func() { fail("the lease was lost") }}})
	return func() (map[string]string, error) {
		found, err := client.CoreV1().Secrets(namespace).List(ctx,
			metav1.ListOptions{LabelSelector: "role=mirror"})
		if err != nil {
			return nil, err
		}
		out := map[string]string{}
		for _, one := range found.Items {
			out[one.Name] = string(one.Data["value"])
		}
		return out, nil
	}
}
