package main

import (
	"fmt"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

// Fills all that an object has, with what JSON and JavaScript can hold.
func fill(object runtime.Object, seed int64) {
	randfill.NewWithSeed(seed).NilChance(0.25).NumElements(0, 2).MaxDepth(14).Funcs(funcs...).Fill(object)
}

var suffixes = []string{"", "m", "k", "Ki", "Mi", "G", "e3", "n"}

// Short, with some that take two, three and four bytes in UTF-8.
var texts = []string{"", "a", "b-c", "x/y.z", "<&>", "é\n", "鷵", "🐧", "\"\\", "1"}

var funcs = []any{
	func(*meta.TypeMeta, randfill.Continue) {},
	func(value *string, c randfill.Continue) { *value = texts[c.Intn(len(texts))] },
	func(value *int64, c randfill.Continue) { *value = c.Int63n(1<<53) - 1<<52 },
	func(value *float64, c randfill.Continue) { *value = float64(c.Intn(1000)) / 8 },
	func(value *meta.Time, c randfill.Continue) {
		value.Time = time.Unix(c.Int63n(1<<33), c.Int63n(1e9)).UTC()
	},
	func(value *meta.MicroTime, c randfill.Continue) {
		value.Time = time.Unix(c.Int63n(1<<33), c.Int63n(1e9)).UTC()
	},
	func(value *resource.Quantity, c randfill.Continue) {
		*value = resource.MustParse(fmt.Sprintf("%d%s", c.Intn(100000), suffixes[c.Intn(len(suffixes))]))
	},
	func(value *intstr.IntOrString, c randfill.Continue) {
		if *value = intstr.FromInt32(c.Int31()); c.Bool() {
			*value = intstr.FromString(c.String(0))
		}
	},
	func(value *runtime.RawExtension, c randfill.Continue) { value.Raw = rawJSON(c) },
	func(value *meta.FieldsV1, c randfill.Continue) { value.Raw = rawJSON(c) },
	func(value *apiextensions.JSON, c randfill.Continue) { value.Raw = rawJSON(c) },
	func(value *apiextensions.JSONSchemaPropsOrArray, c randfill.Continue) {
		if c.Bool() {
			value.JSONSchemas = []apiextensions.JSONSchemaProps{{Type: c.String(0)}, {}}
		} else {
			value.Schema = &apiextensions.JSONSchemaProps{Format: c.String(0)}
		}
	},
	func(value *apiextensions.JSONSchemaPropsOrBool, c randfill.Continue) {
		if value.Allows = c.Bool(); value.Allows && c.Bool() {
			value.Schema = &apiextensions.JSONSchemaProps{Format: c.String(0)}
		}
	},
	func(value *apiextensions.JSONSchemaPropsOrStringArray, c randfill.Continue) {
		if c.Bool() {
			value.Property = []string{c.String(0), c.String(0)}
		} else {
			value.Schema = &apiextensions.JSONSchemaProps{Format: c.String(0)}
		}
	},
}

func rawJSON(c randfill.Continue) []byte {
	return fmt.Appendf(nil, `{"a":{"b":[1,null,{}]},"c":%d}`, c.Int31())
}
