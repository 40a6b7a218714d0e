package main

import (
	"io"
	"os"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// encodeOpenAPI reads a document of OpenAPI version 2 as JSON and writes it as Protobuf, as API servers do.
func encodeOpenAPI() {
	json, err := io.ReadAll(os.Stdin)
	utilruntime.Must(err)
	document, err := openapi_v2.ParseDocument(json)
	utilruntime.Must(err)
	encoded, err := proto.Marshal(document)
	utilruntime.Must(err)
	_, err = os.Stdout.Write(encoded)
	utilruntime.Must(err)
}
