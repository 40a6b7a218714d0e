// A vCenter of nothing: govmomi's simulator, with accounts that come from a file of JSON or are changed while
// it runs.
//
// The first line of its output is its address. What is posted to /control is a command:
//
//	{"accounts": {"user": "password"}}   replaces all accounts
//	{"sessionTimeout": "2s"}             ends sessions that are idle for so long
package main

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"syscall"

	_ "github.com/vmware/govmomi/pbm/simulator"
	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

type command struct {
	Accounts       map[string]string `json:"accounts"`
	SessionTimeout string            `json:"sessionTimeout"`
}

type accounts struct {
	sync.Mutex
	passwords map[string]string
}

func (a *accounts) valid(login *types.Login) bool {
	a.Lock()
	defer a.Unlock()
	password, known := a.passwords[login.UserName]
	return known && password == login.Password
}

func (a *accounts) replace(passwords map[string]string) {
	a.Lock()
	defer a.Unlock()
	a.passwords = passwords
}

func read(file string) (map[string]string, error) {
	passwords := map[string]string{}
	if file == "" {
		return passwords, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return passwords, json.Unmarshal(text, &passwords)
}

func main() {
	address := flag.String("listen", "127.0.0.1:0", "address to listen on")
	certificate := flag.String("cert", "", "file with the certificate")
	key := flag.String("key", "", "file with the key")
	datacenters := flag.Int("datacenters", 1, "how many datacenters there are")
	machines := flag.Int("machines", 2, "how many machines each pool has")
	passwords := flag.String("accounts", "", "file with passwords by account, in JSON")
	flag.Parse()

	known, err := read(*passwords)
	if err != nil {
		log.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(*certificate, *key)
	if err != nil {
		log.Fatal(err)
	}
	model := simulator.VPX()
	model.Datacenter = *datacenters
	model.Machine = *machines
	model.Autostart = false
	if err := model.Create(); err != nil {
		log.Fatal(err)
	}
	defer model.Remove()

	logins := &accounts{passwords: known}
	model.Service.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	model.Service.Listen = &url.URL{Host: *address, User: url.UserPassword("nobody", "nothing")}
	model.Service.RegisterEndpoints = true
	model.Map().SessionManager().ValidLogin = logins.valid
	model.Service.HandleFunc("/control", control(model, logins))
	server := model.Service.NewServer()
	defer server.Close()
	fmt.Println(server.URL.Host)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
}

func control(model *simulator.Model, logins *accounts) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		var next command
		if err := json.NewDecoder(request.Body).Decode(&next); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		if next.Accounts != nil {
			logins.replace(next.Accounts)
		}
		if next.SessionTimeout != "" {
			model.Map().OptionManager().UpdateOptions(&types.UpdateOptions{
				ChangedValue: []types.BaseOptionValue{&types.OptionValue{
					Key:   "config.vmacore.soap.sessionTimeout",
					Value: next.SessionTimeout,
				}},
			})
		}
	}
}
