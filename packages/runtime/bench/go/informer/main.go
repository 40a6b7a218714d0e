// The Go side of informer.bench.ts: controller-runtime's cache on the bench's custom resource.
//
// informer <unstructured|typed> <kubeconfig> <updates> prints a report when the cache has synced, and
// another when so many updates have come or standard input ends.
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	log.SetLogger(logr.Discard())
	kind, kubeconfig := os.Args[1], os.Args[2]
	updates, err := strconv.Atoi(os.Args[3])
	check(err)
	started := time.Now()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	check(err)
	scheme := runtime.NewScheme()
	addToScheme(scheme)
	informers, err := cache.New(config, cache.Options{Scheme: scheme})
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	informer, err := informers.GetInformer(ctx, example(kind), cache.BlockUntilSynced(false))
	check(err)

	heard := &events{wanted: updates, complete: make(chan struct{})}
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { heard.objects++ },
		UpdateFunc: func(_, object any) { heard.update(object.(client.Object)) },
	})
	check(err)
	go func() { check(informers.Start(ctx)) }()
	for !informer.HasSynced() || !registration.HasSynced() {
		time.Sleep(time.Millisecond)
	}
	elapsed := time.Since(started)
	time.Sleep(2 * time.Second)
	report(map[string]any{
		"objects":      heard.objects,
		"milliseconds": elapsed.Seconds() * 1000,
		"resident":     kernelBytes("VmRSS"),
		"peak":         kernelBytes("VmHWM"),
	})

	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		heard.end()
	}()
	<-heard.complete
	heard.Lock()
	defer heard.Unlock()
	report(map[string]any{"latencies": heard.latencies})
}

// events counts what the handler heard.
type events struct {
	sync.Mutex
	objects   int
	latencies []float64
	wanted    int
	complete  chan struct{}
	ended     sync.Once
}

func (e *events) update(object client.Object) {
	received := float64(time.Now().UnixMicro()) / 1000
	sent, err := strconv.ParseFloat(object.GetAnnotations()["bench.rookery.dev/sent"], 64)
	check(err)
	e.Lock()
	e.latencies = append(e.latencies, received-sent)
	complete := len(e.latencies) == e.wanted
	e.Unlock()
	if complete {
		e.end()
	}
}

func (e *events) end() {
	e.ended.Do(func() { close(e.complete) })
}

func example(kind string) client.Object {
	if kind == "typed" {
		return &Nest{}
	}
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(groupVersion.WithKind("Nest"))
	return object
}

// kernelBytes reads a figure of this process, as the kernel counts it.
func kernelBytes(name string) int {
	status, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(status), "\n") {
		if value, found := strings.CutPrefix(line, name+":"); found {
			kilobytes, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			check(err)
			return kilobytes * 1024
		}
	}
	return 0
}

func report(values map[string]any) {
	check(json.NewEncoder(os.Stdout).Encode(values))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
