// Command judge answers, with the code of the real clusterctl, what the tests ask: JSON questions on
// standard input, one JSON answer each on standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	clusterctlv1 "sigs.k8s.io/cluster-api/cmd/clusterctl/api/v1alpha3"
	"sigs.k8s.io/cluster-api/cmd/clusterctl/client/config"
	"sigs.k8s.io/cluster-api/cmd/clusterctl/client/repository"
	"sigs.k8s.io/cluster-api/cmd/clusterctl/client/yamlprocessor"
	"sigs.k8s.io/yaml"
)

type question struct {
	Ask       string            `json:"ask"`
	Text      string            `json:"text"`
	Variables map[string]string `json:"variables"`
	Images    string            `json:"images"`
	Name      string            `json:"name"`
	Type      string            `json:"type"`
	Version   string            `json:"version"`
	Namespace string            `json:"namespace"`
}

type answer struct {
	Value any    `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
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

// reply turns a panic of what is asked into an error: envsubst has some.
func reply(q question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprint("panic: ", r)}
		}
	}()
	value, err := judge(q)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}

func judge(q question) (any, error) {
	switch q.Ask {
	case "replace":
		out, err := yamlprocessor.NewSimpleProcessor().Process([]byte(q.Text), q.lookup)
		return string(out), err
	case "inspect":
		return yamlprocessor.NewSimpleProcessor().GetVariableMap([]byte(q.Text))
	case "yaml":
		out, err := yaml.YAMLToJSON([]byte(q.Text))
		return json.RawMessage(out), err
	case "providers":
		return providers()
	case "render":
		return render(q)
	case "time":
		start := time.Now()
		_, err := render(q)
		return float64(time.Since(start).Microseconds()) / 1000, err
	}
	return nil, fmt.Errorf("unknown question %q", q.Ask)
}

func (q question) lookup(name string) (string, error) {
	if value, ok := q.Variables[name]; ok {
		return value, nil
	}
	return "", fmt.Errorf("%s is not set", name)
}

func providers() (any, error) {
	client, err := configure(question{})
	if err != nil {
		return nil, err
	}
	return client.Providers().List()
}

func render(q question) (any, error) {
	client, err := configure(q)
	if err != nil {
		return nil, err
	}
	components, err := repository.NewComponents(repository.ComponentsInput{
		Provider:     config.NewProvider(q.Name, "https://example.com", clusterctlv1.ProviderType(q.Type)),
		ConfigClient: client,
		Processor:    yamlprocessor.NewSimpleProcessor(),
		RawYaml:      []byte(q.Text),
		Options:      repository.ComponentsOptions{Version: q.Version, TargetNamespace: q.Namespace},
	})
	if err != nil {
		return nil, err
	}
	objects := []any{}
	for _, object := range components.Objs() {
		objects = append(objects, object.Object)
	}
	return map[string]any{
		"objects":   objects,
		"images":    components.Images(),
		"inventory": components.InventoryObject(),
	}, nil
}

func configure(q question) (config.Client, error) {
	reader := config.NewMemoryReader()
	if err := reader.Init(context.Background(), ""); err != nil {
		return nil, err
	}
	for name, value := range q.Variables {
		reader.Set(name, value)
	}
	if q.Images != "" {
		reader.Set("images", q.Images)
	}
	return config.New(context.Background(), "", config.InjectReader(reader))
}
