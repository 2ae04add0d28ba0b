// Two small controllers against the server that KUBECONFIG names: one on client-go's informers,
// work queue, events and leader election, one on controller-runtime with finalizers, owned objects
// and a custom resource. Each mirrors objects while they are made, changed and deleted; at the end
// the mirrors must be what they should be.
//
// Usage: controllers client-go|controller-runtime [OBJECTS]
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "default"

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

// must retries while the server is away, as a user would.
func must(what string, act func() error) {
	var last error
	err := wait.PollUntilContextTimeout(context.Background(), 100*time.Millisecond, 30*time.Second, true,
		func(context.Context) (bool, error) {
			last = act()
			if last == nil || apierrors.IsAlreadyExists(last) || apierrors.IsNotFound(last) {
				return true, nil
			}
			return false, nil
		})
	if err != nil {
		fail("%s: %v (%v)", what, err, last)
	}
}

func source(number int, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("source-%d", number), Namespace: namespace,
			Labels: map[string]string{"role": "source"}},
		Data: map[string]string{"value": value},
	}
}

// drive makes, changes and deletes sources, and says what the mirrors have to be then.
func drive(client kubernetes.Interface, objects int) map[string]string {
	ctx := context.Background()
	maps := client.CoreV1().ConfigMaps(namespace)
	want := map[string]string{}
	for i := 0; i < objects; i++ {
		must("create", func() error {
			_, err := maps.Create(ctx, source(i, "first"), metav1.CreateOptions{})
			return err
		})
		want[fmt.Sprintf("source-%d", i)] = "first"
	}
	for i := 0; i < objects; i += 2 {
		name := fmt.Sprintf("source-%d", i)
		must("update", func() error {
			now, err := maps.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			now.Data["value"] = "second"
			_, err = maps.Update(ctx, now, metav1.UpdateOptions{})
			return err
		})
		want[name] = "second"
	}
	for i := 0; i < objects; i += 3 {
		name := fmt.Sprintf("source-%d", i)
		must("delete", func() error { return maps.Delete(ctx, name, metav1.DeleteOptions{}) })
		delete(want, name)
	}
	return want
}

// agree waits until the mirrors are what they should be.
func agree(list func() (map[string]string, error), want map[string]string) {
	var have map[string]string
	err := wait.PollUntilContextTimeout(context.Background(), 200*time.Millisecond, 60*time.Second, true,
		func(context.Context) (bool, error) {
			var err error
			if have, err = list(); err != nil || len(have) != len(want) {
				return false, nil
			}
			for name, value := range want {
				if have[name] != value {
					return false, nil
				}
			}
			return true, nil
		})
	if err != nil {
		fail("after a minute there are %d mirrors, %d were expected", len(have), len(want))
	}
}

func configuration() *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fail("%v", err)
	}
	config.QPS, config.Burst = 2000, 2000
	return config
}

func main() {
	if len(os.Args) < 2 {
		fail("usage: controllers client-go|controller-runtime [OBJECTS]")
	}
	objects := 300
	if len(os.Args) > 2 {
		objects, _ = strconv.Atoi(os.Args[2])
	}
	config := configuration()
	client := kubernetes.NewForConfigOrDie(config)
	var reconciled atomic.Int64
	var list func() (map[string]string, error)
	switch os.Args[1] {
	case "client-go":
		list = runClientGo(client, &reconciled)
	case "controller-runtime":
		list = runControllerRuntime(config, client, &reconciled)
	default:
		fail("unknown controller %q", os.Args[1])
	}
	started := time.Now()
	want := drive(client, objects)
	agree(list, want)
	fmt.Printf("%s: %d objects, %d mirrors as they should be, %d reconciliations, %.1f s\n", os.Args[1],
		objects, len(want), reconciled.Load(), time.Since(started).Seconds())
}
