package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The table of types. They refer to each other by their place in it.
type table struct {
	// Places by Go type, such as "k8s.io/api/apps/v1.Deployment".
	Roots map[string]int `json:"roots"`
	// Go types by kind, such as "apps/v1 Deployment".
	Kinds map[string]string `json:"kinds"`
	Types []*typeEntry      `json:"types"`

	places map[reflect.Type]int
}

type typeEntry struct {
	Kind string `json:"k"`
	// As Go's errors say it: "v1.DeploymentSpec".
	Name string `json:"n,omitempty"`
	// Of a pointer, a list or a map.
	Element int          `json:"e,omitempty"`
	Fields  []fieldEntry `json:"f,omitempty"`
	// A list that is a message of its own in Protobuf, with its items in field 1.
	Wrapped bool `json:"w,omitempty"`
}

type fieldEntry struct {
	// In JSON; of an embedded struct, whose fields are those of the outer one, there is none.
	Json string `json:"j,omitempty"`
	// The name in Go, of an embedded struct alone.
	Embedded  string `json:"g,omitempty"`
	Type      int    `json:"t"`
	OmitEmpty bool   `json:"o,omitempty"`
	OmitZero  bool   `json:"z,omitempty"`
	// The number in Protobuf.
	Number   int    `json:"p,omitempty"`
	Strategy string `json:"s,omitempty"`
	MergeKey string `json:"m,omitempty"`
}

// Types that say themselves what they are in JSON or in Protobuf.
var special = map[reflect.Type]string{
	reflect.TypeFor[meta.Time]():                                  "time",
	reflect.TypeFor[meta.MicroTime]():                             "microTime",
	reflect.TypeFor[meta.FieldsV1]():                              "fieldsV1",
	reflect.TypeFor[resource.Quantity]():                          "quantity",
	reflect.TypeFor[intstr.IntOrString]():                         "intOrString",
	reflect.TypeFor[runtime.RawExtension]():                       "rawExtension",
	reflect.TypeFor[apiextensions.JSON]():                         "json",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrArray]():       "schemaOrArray",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrBool]():        "schemaOrBool",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrStringArray](): "schemaOrStrings",
}

func newTable() *table {
	return &table{Roots: map[string]int{}, Kinds: map[string]string{}, places: map[reflect.Type]int{}}
}

func (t *table) addKind(added kind) error {
	place, err := t.add(added.goType)
	if err != nil {
		return err
	}
	name := goName(added.goType)
	t.Roots[name] = place
	if isMeta(added.goType) {
		t.Kinds[added.gvk.Kind] = name
	} else {
		t.Kinds[added.gvk.GroupVersion().String()+" "+added.gvk.Kind] = name
	}
	return nil
}

func (t *table) add(goType reflect.Type) (int, error) {
	if place, ok := t.places[goType]; ok {
		return place, nil
	}
	place := len(t.Types)
	entry := &typeEntry{}
	t.places[goType] = place
	t.Types = append(t.Types, entry)
	return place, t.fill(entry, goType)
}

func (t *table) fill(entry *typeEntry, goType reflect.Type) (err error) {
	entry.Name = goType.String()
	if kind, ok := special[goType]; ok {
		entry.Kind = kind
		if strings.HasPrefix(kind, "schemaOr") {
			entry.Element, err = t.add(reflect.TypeFor[apiextensions.JSONSchemaProps]())
		}
		return err
	}
	if goType.Kind() != reflect.Pointer && reflect.PointerTo(goType).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return fmt.Errorf("%s reads JSON by itself: say how", goType)
	}
	switch goType.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		entry.Kind = goType.Kind().String()
	case reflect.Pointer:
		entry.Kind, entry.Name = "pointer", ""
		entry.Element, err = t.add(goType.Elem())
	case reflect.Map:
		entry.Kind = "map"
		if goType.Key().Kind() != reflect.String {
			return fmt.Errorf("%s has keys that are no strings", goType)
		}
		entry.Element, err = t.add(goType.Elem())
	case reflect.Slice:
		err = t.fillSlice(entry, goType)
	case reflect.Struct:
		entry.Kind = "struct"
		err = t.fillStruct(entry, goType)
	default:
		return fmt.Errorf("%s is of a kind that nothing is known of", goType)
	}
	return err
}

func (t *table) fillSlice(entry *typeEntry, goType reflect.Type) (err error) {
	if goType.Elem().Kind() == reflect.Uint8 {
		entry.Kind = "bytes"
		return nil
	}
	entry.Kind = "slice"
	_, entry.Wrapped = reflect.PointerTo(goType).MethodByName("Unmarshal")
	entry.Element, err = t.add(goType.Elem())
	return err
}

func (t *table) fillStruct(entry *typeEntry, goType reflect.Type) error {
	for i := range goType.NumField() {
		field := goType.Field(i)
		described, err := t.describe(field)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", field.Name, goType, err)
		}
		entry.Fields = append(entry.Fields, described)
	}
	return nil
}

func (t *table) describe(field reflect.StructField) (entry fieldEntry, err error) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	entry.Strategy = field.Tag.Get("patchStrategy")
	entry.MergeKey = field.Tag.Get("patchMergeKey")
	if name == "-" || !field.IsExported() {
		return entry, fmt.Errorf("it is not written")
	}
	entry.Json = name
	if name == "" {
		if !field.Anonymous {
			return entry, fmt.Errorf("it has no name in JSON")
		}
		entry.Embedded = field.Name
	}
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "omitempty":
			entry.OmitEmpty = true
		case "omitzero":
			entry.OmitZero = true
		case "", "inline":
		default:
			return entry, fmt.Errorf("the option %q is not known", option)
		}
	}
	if entry.Number, err = numberOf(field.Tag.Get("protobuf")); err != nil {
		return entry, err
	}
	entry.Type, err = t.add(field.Type)
	return entry, err
}

// As in "bytes,2,opt,name=spec".
func numberOf(tag string) (int, error) {
	if tag == "" || tag == "-" {
		return 0, nil
	}
	parts := strings.Split(tag, ",")
	if len(parts) < 2 {
		return 0, fmt.Errorf("the tag %q has no number", tag)
	}
	return strconv.Atoi(parts[1])
}
