// Command types describes Go types of Kubernetes as JSON, by reflection: what encoding/json and
// Protobuf know of them. It reads the wanted kinds from standard input, as {package: [kind]}.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var wanted map[string][]string
	if err := json.NewDecoder(os.Stdin).Decode(&wanted); err != nil {
		return fmt.Errorf("could not read the wanted kinds: %w", err)
	}
	known, err := knownKinds()
	if err != nil {
		return err
	}
	table := newTable()
	for _, name := range goTypesOf(wanted) {
		kind, ok := known[name]
		if !ok {
			return fmt.Errorf("could not find the type %s", name)
		}
		if err := table.addKind(kind); err != nil {
			return err
		}
		if list, ok := known[name+"List"]; ok {
			if err := table.addKind(list); err != nil {
				return err
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(table)
}
