// Command request-info answers, with the code of the real kube-apiserver, what requests ask for: an array
// of requests in JSON on standard input, an array of answers on standard output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
)

type question struct {
	Method string `json:"method"`
	// The request's target in Latin-1: each character is a byte.
	Target string `json:"target"`
}

type answer struct {
	// The request was not read, or was read and not understood.
	Error string               `json:"error,omitempty"`
	Info  *request.RequestInfo `json:"info,omitempty"`
}

var factory = request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := make([]answer, 0, len(questions))
	for _, q := range questions {
		answers = append(answers, reply(q))
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// reply reads the request as a server reads it from the wire.
func reply(q question) answer {
	head := append(latin1(q.Method+" "+q.Target), []byte(" HTTP/1.1\r\nHost: localhost\r\n\r\n")...)
	read, err := http.ReadRequest(bufio.NewReader(strings.NewReader(string(head))))
	if err != nil {
		return answer{Error: "malformed"}
	}
	info, err := factory.NewRequestInfo(read)
	if err != nil {
		return answer{Error: "unclear"}
	}
	return answer{Info: info}
}

func latin1(text string) []byte {
	bytes := make([]byte, 0, len(text))
	for _, character := range text {
		bytes = append(bytes, byte(character))
	}
	return bytes
}
