// Command informers runs client-go's informers of each kind over one kubeconfig and prints what they
// see, an event a line. With KUBE_FEATURE_WatchListClient=true they get their lists by watching.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// line is what is printed of an event.
type line struct {
	Informer   string   `json:"informer"`
	Event      string   `json:"event"`
	APIVersion string   `json:"apiVersion,omitempty"`
	Name       string   `json:"name,omitempty"`
	Owners     []string `json:"owners,omitempty"`
	Managers   []string `json:"managers,omitempty"`
	Error      string   `json:"error,omitempty"`
}

var printing sync.Mutex

func print(l line) {
	printing.Lock()
	defer printing.Unlock()
	_ = json.NewEncoder(os.Stdout).Encode(l)
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the server")
	namespace := flag.String("namespace", "default", "where to look")
	group := flag.String("group", "", "the group of widgets")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	widgets := schema.GroupVersionResource{Group: *group, Version: "v1", Resource: "widgets"}
	expired(ctx, config, widgets, *namespace)
	for name, informer := range all(config, widgets, *namespace) {
		watch(ctx, name, informer)
	}
	<-ctx.Done()
}

func all(config *rest.Config, widgets schema.GroupVersionResource, namespace string) map[string]cache.SharedInformer {
	dynamicClient, err := dynamic.NewForConfig(config)
	check(err)
	metadataClient, err := metadata.NewForConfig(config)
	check(err)
	protobuf := rest.CopyConfig(config)
	protobuf.ContentType = "application/vnd.kubernetes.protobuf"
	typed, err := kubernetes.NewForConfig(protobuf)
	check(err)
	return map[string]cache.SharedInformer{
		"dynamic":  dynamicinformer.NewFilteredDynamicInformer(dynamicClient, widgets, namespace, 0, nil, nil).Informer(),
		"metadata": metadatainformer.NewFilteredMetadataInformer(metadataClient, widgets, namespace, 0, nil, nil).Informer(),
		"typed":    typedWidgets(config, widgets, namespace),
		"configmaps": informers.NewSharedInformerFactoryWithOptions(typed, 0, informers.WithNamespace(namespace)).
			Core().V1().ConfigMaps().Informer(),
	}
}

func watch(ctx context.Context, name string, informer cache.SharedInformer) {
	tell := func(event string) func(any) {
		return func(object any) {
			if last, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = last.Obj
			}
			print(describe(name, event, object))
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    tell("add"),
		UpdateFunc: func(_, object any) { tell("update")(object) },
		DeleteFunc: tell("delete"),
	})
	check(err)
	go informer.Run(ctx.Done())
	go func() {
		if cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
			print(line{Informer: name, Event: "synced"})
		}
	}()
}

func describe(informer, event string, object any) line {
	l := line{Informer: informer, Event: event}
	if typed, ok := object.(interface{ GetObjectKind() schema.ObjectKind }); ok {
		l.APIVersion, _ = typed.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	}
	if _, ok := object.(*corev1.ConfigMap); ok {
		l.APIVersion = "v1"
	}
	meta := object.(metav1.Object)
	l.Name = meta.GetName()
	for _, owner := range meta.GetOwnerReferences() {
		l.Owners = append(l.Owners, owner.APIVersion)
	}
	for _, entry := range meta.GetManagedFields() {
		l.Managers = append(l.Managers, entry.APIVersion)
	}
	return l
}

// expired watches from a state that is long gone, and tells what the client makes of the answer.
func expired(ctx context.Context, config *rest.Config, widgets schema.GroupVersionResource, namespace string) {
	client, err := dynamic.NewForConfig(config)
	check(err)
	options := metav1.ListOptions{ResourceVersion: "1", AllowWatchBookmarks: true}
	watcher, err := client.Resource(widgets).Namespace(namespace).Watch(ctx, options)
	if err == nil {
		event := <-watcher.ResultChan()
		watcher.Stop()
		err = apierrors.FromObject(event.Object)
	}
	isExpired := apierrors.IsResourceExpired(err) || apierrors.IsGone(err)
	print(line{Informer: "expired", Event: fmt.Sprint(isExpired), Error: fmt.Sprint(err)})
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
