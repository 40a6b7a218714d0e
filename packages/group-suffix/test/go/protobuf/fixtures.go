package main

import (
	"encoding/json"
	"io"
	"math/rand"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

type description struct {
	Name    string `json:"name"`
	Variant int    `json:"variant"`
}

// writeFixtures writes objects of every kind, in as many variants.
func writeFixtures(out io.Writer, seed int64, variants int) {
	for _, gvk := range kinds() {
		for variant := range variants {
			// Each object has a seed of its own: a new kind changes no other.
			f := &filler{Rand: rand.New(rand.NewSource(seed*1000 + int64(variant) + hash(gvk.String()))), sparse: 7 - variant%5}
			writeFixture(out, description{Name: gvk.GroupVersion().String() + " " + gvk.Kind, Variant: variant}, newFixture(f, gvk))
		}
	}
	writeFixture(out, description{Name: "watch"}, newWatch(seed))
}

// An object and the same after a typed renaming, each as Protobuf and as JSON.
type fixture struct{ data, renamed, text, renamedText []byte }

func newFixture(f *filler, gvk schema.GroupVersionKind) fixture {
	object, err := scheme.New(gvk)
	utilruntime.Must(err)
	f.fill(reflect.ValueOf(object).Elem(), "", 0)
	f.nameObjects(object, gvk)
	object.GetObjectKind().SetGroupVersionKind(gvk)
	// What was decoded once is encoded the same way ever after.
	object = recode(object)
	data := encode(object, protobufSerializer)
	text := encode(object, jsonSerializer)
	renamed := recode(object)
	renameTyped(renamed)
	return fixture{data, encode(renamed, protobufSerializer), text, encode(renamed, jsonSerializer)}
}

func recode(object runtime.Object) runtime.Object {
	recoded, err := decode(encode(object, protobufSerializer))
	utilruntime.Must(err)
	return recoded
}

func writeFixture(out io.Writer, what description, made fixture) {
	head, err := json.Marshal(what)
	utilruntime.Must(err)
	for _, frame := range [][]byte{head, made.data, made.renamed, made.text, made.renamedText} {
		writeFrame(out, frame)
	}
}

// nameObjects names objects whose name holds a group.
func (f *filler) nameObjects(object runtime.Object, gvk schema.GroupVersionKind) {
	prefix, ok := map[string]string{
		"CustomResourceDefinition": "nests.", "APIService": "v1.", "APIGroupDiscovery": "",
	}[strings.TrimSuffix(gvk.Kind, "List")]
	if !ok {
		return
	}
	items := []runtime.Object{object}
	if meta.IsListType(object) {
		var err error
		items, err = meta.ExtractList(object)
		utilruntime.Must(err)
	}
	for _, item := range items {
		accessor, err := meta.Accessor(item)
		utilruntime.Must(err)
		accessor.SetName(prefix + f.group())
	}
}

func hash(text string) int64 {
	var sum int64
	for _, char := range text {
		sum = sum*31 + int64(char)
	}
	return sum
}
