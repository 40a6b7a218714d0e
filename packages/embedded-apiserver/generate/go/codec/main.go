// Command codec does with objects of Kubernetes what its Go code does: it fills them at random and
// reads them from JSON. It reads a list of questions from standard input and writes the answers.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	kjson "sigs.k8s.io/json"
)

type question struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// What fills an object at random; without it, Body is read.
	Seed int64  `json:"seed"`
	Body string `json:"body"`
}

type answer struct {
	// The object, as Go writes it after it was stored.
	JSON json.RawMessage `json:"json,omitempty"`
	// The object, in an envelope.
	Protobuf []byte `json:"protobuf,omitempty"`
	// What a strict reader refuses.
	Strict []string `json:"strict,omitempty"`
	Error  string   `json:"error,omitempty"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		return fmt.Errorf("could not read the questions: %w", err)
	}
	scheme, err := newScheme()
	if err != nil {
		return err
	}
	answers := make([]answer, len(questions))
	for i, each := range questions {
		if answers[i], err = each.answer(scheme); err != nil {
			return fmt.Errorf("%s %s: %w", each.APIVersion, each.Kind, err)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

func (q question) answer(scheme *runtime.Scheme) (found answer, err error) {
	gvk := schema.FromAPIVersionAndKind(q.APIVersion, q.Kind)
	object, err := scheme.New(gvk)
	if err != nil {
		return found, err
	}
	if q.Seed != 0 {
		fill(object, q.Seed)
	} else {
		strict, err := kjson.UnmarshalStrict([]byte(q.Body), object)
		if err != nil {
			found.Error = err.Error()
			return found, nil
		}
		for _, each := range strict {
			found.Strict = append(found.Strict, each.Error())
		}
	}
	object.GetObjectKind().SetGroupVersionKind(gvk)
	if found.Protobuf, err = encode(scheme, object); err != nil {
		return found, err
	}
	// Kinds of these are stored as JSON.
	if q.Seed != 0 || !strings.HasPrefix(gvk.Group, "api") {
		if object, err = runtime.Decode(protobuf.NewSerializer(scheme, scheme), found.Protobuf); err != nil {
			return found, err
		}
	}
	found.JSON, err = json.Marshal(object)
	return found, err
}

func encode(scheme *runtime.Scheme, object runtime.Object) ([]byte, error) {
	var written strings.Builder
	err := protobuf.NewSerializer(scheme, scheme).Encode(object, &written)
	return []byte(written.String()), err
}
