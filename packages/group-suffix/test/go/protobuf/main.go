// Judges the renaming of API groups in Protobuf with Kubernetes' own types.
//
//	fixtures <seed> <variants>   writes objects of every kind, each as five frames: a description, the
//	                             object as Protobuf, the same after a typed renaming, and both as JSON
//	pods <count> <apiVersion>    writes a list of pods as Protobuf, owned by objects of that apiVersion
//	openapi                      reads OpenAPI version 2 as JSON from standard input, writes it as Protobuf
//	bench <milliseconds>         reads a Protobuf body from standard input; prints how many times a second
//	                             it can be decoded, renamed and encoded the typed way
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

func main() {
	time.Local = time.UTC
	if len(os.Args) < 2 {
		fail()
	}
	switch os.Args[1] {
	case "fixtures":
		out := bufio.NewWriter(os.Stdout)
		writeFixtures(out, int64(argument(2)), argument(3))
		utilruntime.Must(out.Flush())
	case "pods":
		if len(os.Args) < 4 {
			fail()
		}
		_, err := os.Stdout.Write(podList(argument(2), os.Args[3]))
		utilruntime.Must(err)
	case "openapi":
		encodeOpenAPI()
	case "bench":
		body, err := io.ReadAll(os.Stdin)
		utilruntime.Must(err)
		fmt.Println(typedPerSecond(body, time.Duration(argument(2))*time.Millisecond))
	default:
		fail()
	}
}

func fail() {
	fmt.Fprintln(os.Stderr, "usage: protobuf fixtures <seed> <variants> | pods <count> <apiVersion> | openapi | bench <milliseconds>")
	os.Exit(2)
}

func argument(index int) int {
	if index >= len(os.Args) {
		fail()
	}
	value, err := strconv.Atoi(os.Args[index])
	utilruntime.Must(err)
	return value
}

func writeFrame(out io.Writer, payload []byte) {
	utilruntime.Must(binary.Write(out, binary.BigEndian, uint32(len(payload))))
	_, err := out.Write(payload)
	utilruntime.Must(err)
}
