package main

import (
	"math/rand"
	"reflect"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const maxDepth = 12

// filler fills objects so that groups of all sorts stand where they name a group, and where they must
// be left alone.
type filler struct {
	*rand.Rand
	// How often, of ten, a pointer, list or map is left empty.
	sparse int
}

func (f *filler) pick(values ...string) string { return values[f.Intn(len(values))] }

func (f *filler) empty() bool { return f.Intn(10) < f.sparse }

// group is virtual, real, only similar, foreign or core.
func (f *filler) group() string {
	return f.pick(
		"config.concierge."+virtualSuffix, "login.concierge."+virtualSuffix, "x."+virtualSuffix,
		"config.concierge."+realSuffix, "x."+realSuffix,
		virtualSuffix, realSuffix, "a.prefixed-"+virtualSuffix, "x."+virtualSuffix+".example.org",
		"cert-manager.io", "apps", "",
	)
}

func (f *filler) apiVersion() string {
	if group := f.group(); group != "" {
		return group + "/" + f.pick("v1", "v1alpha1")
	}
	return "v1"
}

func (f *filler) fill(v reflect.Value, field string, depth int) {
	if f.fillSpecial(v) || depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		f.fillStruct(v, depth)
	case reflect.Pointer:
		if !f.empty() {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), field, depth+1)
		}
	case reflect.Slice:
		f.fillSlice(v, field, depth)
	case reflect.Map:
		f.fillMap(v, field, depth)
	case reflect.String:
		v.SetString(f.text(field))
	case reflect.Bool:
		v.SetBool(f.Intn(2) == 0)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.Intn(400) - 100))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.Intn(100)))
	case reflect.Float64:
		v.SetFloat(float64(f.Intn(100)) / 4)
	}
}

func (f *filler) fillStruct(v reflect.Value, depth int) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.IsExported() && field.Type != reflect.TypeFor[metav1.TypeMeta]() {
			f.fill(v.Field(i), field.Name, depth+1)
		}
	}
	f.fillNamed(v.Addr().Interface())
}

func (f *filler) fillSlice(v reflect.Value, field string, depth int) {
	// What every object has is there more often than not.
	common := field == "OwnerReferences" || field == "ManagedFields"
	if (f.empty() && !(common && f.empty())) || depth == maxDepth {
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes([]byte{0x0a, 0xff, byte(f.Intn(256)), 0x00})
		return
	}
	length := 1 + f.Intn(2)
	v.Set(reflect.MakeSlice(v.Type(), length, length))
	for i := range length {
		f.fill(v.Index(i), field, depth+1)
	}
}

// Keys begin with a letter that keeps their order, whatever they are called afterwards.
func (f *filler) fillMap(v reflect.Value, field string, depth int) {
	if f.empty() || depth == maxDepth {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, letter := range []string{"a", "b"}[:1+f.Intn(2)] {
		key := letter + "." + f.text(field)
		if v.Type().Key() == reflect.TypeFor[corev1.ResourceName]() {
			key = "count/" + letter + "nests." + f.group()
		}
		value := reflect.New(v.Type().Elem()).Elem()
		f.fill(value, field, depth+1)
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
	}
}

// text is what its field's name says, or a group where none should be renamed.
func (f *filler) text(field string) string {
	switch {
	case strings.HasSuffix(field, "APIVersion"), field == "GroupVersion":
		return f.apiVersion()
	case strings.HasPrefix(field, "APIGroup"), field == "Group":
		return f.group()
	case field == "NonResourceURLs", field == "Path":
		return f.pick("/apis/", "/openapi/v3/apis/", "/") + f.group() + f.pick("", "/*", "/v1")
	case field == "ResourceNames":
		return f.pick("nests.", "v1.") + f.group()
	case field == "Message":
		return "nests." + f.group() + ` "a" in ` + f.apiVersion() + " not found"
	}
	return f.pick(strings.ToLower(field), "", "é "+field, f.group(), f.apiVersion(), "nests."+f.group(), strings.Repeat("x", f.Intn(140)))
}

// object is one as JSON, as fields that hold anything do.
func (f *filler) object() []byte {
	return []byte(`{"apiVersion":"` + f.apiVersion() + `","kind":"Nest","metadata":{"name":"a","ownerReferences":[{"apiVersion":"` +
		f.apiVersion() + `","kind":"Nest","name":"b","uid":"c"}]},"spec":{"group":"` + f.group() + `"}}`)
}

func (f *filler) fillSpecial(v reflect.Value) bool {
	if !v.CanAddr() {
		return false
	}
	switch special := v.Addr().Interface().(type) {
	case *metav1.Time:
		special.Time = time.Unix(int64(1700000000+f.Intn(1e6)), 0)
	case *metav1.MicroTime:
		special.Time = time.Unix(int64(1700000000+f.Intn(1e6)), int64(f.Intn(1e6))*1000)
	case *metav1.Duration:
		special.Duration = time.Duration(f.Intn(1000)) * time.Second
	case *resource.Quantity:
		*special = resource.MustParse(f.pick("1", "100m", "4Gi"))
	case *intstr.IntOrString:
		*special = intstr.Parse(f.pick("80", "http", "25%"))
	case *metav1.FieldsV1:
		special.Raw = []byte(`{"f:metadata":{"f:finalizers":{"v:\"x.` + virtualSuffix + `\"":{}}}}`)
	case *runtime.RawExtension:
		special.Raw = f.object()
	case *apiextensionsv1.JSON:
		special.Raw = f.object()
	case *apiextensionsv1beta1.JSON:
		special.Raw = f.object()
	default:
		return false
	}
	return true
}
