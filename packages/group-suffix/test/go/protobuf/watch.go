package main

import (
	"bytes"
	"math/rand"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// newWatch makes a stream of events of every type.
func newWatch(seed int64) fixture {
	f := &filler{Rand: rand.New(rand.NewSource(seed)), sparse: 5}
	var data, renamed bytes.Buffer
	for _, event := range []struct{ what, group, version, kind string }{
		{"ADDED", "", "v1", "ConfigMap"},
		{"MODIFIED", "apps", "v1", "Deployment"},
		{"DELETED", "meta.k8s.io", "v1", "PartialObjectMetadata"},
		{"BOOKMARK", "", "v1", "Pod"},
		{"ERROR", "", "v1", "Status"},
	} {
		made := newFixture(f, schema.GroupVersionKind{Group: event.group, Version: event.version, Kind: event.kind})
		writeFrame(&data, encodeEvent(event.what, made.data))
		writeFrame(&renamed, encodeEvent(event.what, made.renamed))
	}
	return fixture{data: data.Bytes(), renamed: renamed.Bytes()}
}

func encodeEvent(what string, object []byte) []byte {
	event := metav1.WatchEvent{Type: what, Object: runtime.RawExtension{Raw: object}}
	data, err := event.Marshal()
	utilruntime.Must(err)
	return data
}
