// Command registry serves an OCI registry by TLS on loopback, which gives its tokens to one user.
// Its address is the first line that it prints.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/registry"
)

const token = "issued-by-the-registry"

func main() {
	certificate, key, user, password := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	origin := "https://" + listener.Addr().String()
	fmt.Println(origin)
	mux := http.NewServeMux()
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if name, secret, ok := r.BasicAuth(); !ok || name != user || secret != password {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"token": token})
	})
	store := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	mux.HandleFunc("/v2/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			challenge := fmt.Sprintf(`Bearer realm="%s/token",service="registry"`, origin)
			w.Header().Set("WWW-Authenticate", challenge)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		store.ServeHTTP(w, r)
	})
	log.Fatal(http.ServeTLS(listener, mux, certificate, key))
}
