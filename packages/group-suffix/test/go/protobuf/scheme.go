package main

import (
	"bytes"
	"sort"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apidiscoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	imagepolicyv1alpha1 "k8s.io/api/imagepolicy/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
)

// Every kind that a kube-apiserver sends or takes as Protobuf.
var scheme = newScheme()

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme,
		apidiscoveryv2.AddToScheme,
		apidiscoveryv2beta1.AddToScheme,
		imagepolicyv1alpha1.AddToScheme,
		apiextensionsv1.AddToScheme,
		apiextensionsv1beta1.AddToScheme,
		apiregistrationv1.AddToScheme,
		apiregistrationv1beta1.AddToScheme,
		metav1.AddMetaToScheme,
		metav1beta1.AddMetaToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return scheme
}

var (
	protobufSerializer = protobuf.NewSerializer(scheme, scheme)
	jsonSerializer     = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{})
)

// kinds lists what can be encoded, in a fixed order.
func kinds() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for gvk := range scheme.AllKnownTypes() {
		object, err := scheme.New(gvk)
		if err != nil || gvk.Version == runtime.APIVersionInternal {
			continue
		}
		if _, ok := object.(interface{ Marshal() ([]byte, error) }); ok && !leftOut(gvk) {
			all = append(all, gvk)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].String() < all[j].String() })
	return all
}

// leftOut tells what is no object of its own: what every group has, such as options, and the events of a watch, for which see watch.go.
// Besides, a review is sent as JSON, and a rollback by no version that is in use.
func leftOut(gvk schema.GroupVersionKind) bool {
	switch gvk.Kind {
	case "WatchEvent", "ConversionReview", "DeploymentRollback":
		return true
	case "ListOptions", "GetOptions", "DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions":
		return gvk.Group != "" && gvk.Group != "apps"
	}
	return false
}

func encode(object runtime.Object, serializer runtime.Serializer) []byte {
	var buffer bytes.Buffer
	utilruntime.Must(serializer.Encode(object, &buffer))
	return buffer.Bytes()
}

func decode(data []byte) (runtime.Object, error) {
	object, gvk, err := protobufSerializer.Decode(data, nil, nil)
	if err != nil {
		return nil, err
	}
	// Protobuf keeps the kind outside of the object.
	object.GetObjectKind().SetGroupVersionKind(*gvk)
	return object, nil
}
