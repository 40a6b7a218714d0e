// The Go side of the informer bench: controller-runtime's cache on one custom resource.
//
// It prints a line of JSON when the cache has synced, then one line for each event that comes, and
// ends when its standard input does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "")
	objects := flag.String("objects", "unstructured", "unstructured or typed")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)

	out := bufio.NewWriter(os.Stdout)
	print := json.NewEncoder(out)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	start := time.Now()
	scheme := runtime.NewScheme()
	check(addToScheme(scheme))
	informers, err := cache.New(config, cache.Options{Scheme: scheme})
	check(err)
	informer, err := informers.GetInformer(ctx, example(*objects), cache.BlockUntilSynced(false))
	check(err)
	seen := 0
	synced := false
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { seen++ },
		UpdateFunc: func(_, object any) {
			received := time.Now()
			sent := object.(client.Object).GetAnnotations()["bench.rookery.dev/sent"]
			check(print.Encode(map[string]any{"sent": sent, "received": received.UnixNano()}))
			_ = synced
		},
	})
	check(err)
	go func() { check(informers.Start(ctx)) }()
	for !informer.HasSynced() || !registration.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	check(print.Encode(map[string]any{"synced": seen, "milliseconds": time.Since(start).Seconds() * 1000, "rss": resident()}))
	check(out.Flush())
	_, _ = io.Copy(io.Discard, os.Stdin)
	check(out.Flush())
}

func example(objects string) client.Object {
	if objects == "typed" {
		return &Nest{}
	}
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(groupVersion.WithKind("Nest"))
	return object
}

func resident() string {
	status, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, "VmRSS:") || strings.HasPrefix(line, "VmHWM") {
			return line
		}
	}
	return ""
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
