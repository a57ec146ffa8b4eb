// Renders a Helm chart where there is no helm: the same engine (text/template with sprig) and the functions that Helm
// adds, as far as this chart uses them. Arguments: the folder of the chart, and files of values as JSON. Debian's
// packages golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev have what it imports.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	check(err)
	values := map[string]interface{}{}
	check(yaml.Unmarshal(text, &values))
	return values
}

func merge(into, from map[string]interface{}) {
	for name, value := range from {
		inner, isMap := value.(map[string]interface{})
		if old, wasMap := into[name].(map[string]interface{}); isMap && wasMap {
			merge(old, inner)
		} else {
			into[name] = value
		}
	}
}

func main() {
	chart := os.Args[1]
	root := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	root.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			text := strings.Builder{}
			err := root.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, fmt.Errorf("%s", message)
			}
			return value, nil
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates/*"))
	check(err)
	_, err = root.ParseFiles(files...)
	check(err)
	values := readYaml(filepath.Join(chart, "values.yaml"))
	for _, file := range os.Args[2:] {
		merge(values, readYaml(file))
	}
	meta := readYaml(filepath.Join(chart, "Chart.yaml"))
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": meta["name"], "AppVersion": meta["appVersion"]},
		"Release": map[string]interface{}{"Name": "main", "Service": "Helm"},
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".yaml") {
			fmt.Println("---")
			check(root.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}
