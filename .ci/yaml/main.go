// Reads YAML as Kubernetes' tools do, so that our reading can be held against it. On stdin come documents, each after a line with the
// number of its bytes; for each, a line goes to stdout: "+" and its JSON, "-" and why it is refused, or "?" where the library itself
// leaves open what it is, because two keys of a map are one in JSON and the order of maps is Go's.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

var version = "unknown"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println(version)
		return
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return
		}
		size, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			fmt.Fprintln(os.Stderr, "not a number of bytes:", line)
			os.Exit(1)
		}
		document := make([]byte, size)
		if _, err := io.ReadFull(in, document); err != nil {
			fmt.Fprintln(os.Stderr, "a document ends too early:", err)
			os.Exit(1)
		}
		fmt.Fprintln(out, answer(document))
	}
}

func answer(document []byte) (result string) {
	defer func() {
		if problem := recover(); problem != nil {
			result = "-panic: " + oneLine(fmt.Sprint(problem))
		}
	}()
	json, err := yaml.YAMLToJSON(document)
	var tree interface{}
	// Before the refusal: whether the value that JSON cannot say is kept is a matter of the order, too.
	if goyaml.Unmarshal(document, &tree) == nil && collides(tree) {
		return "?"
	}
	if err != nil {
		return "-" + oneLine(err.Error())
	}
	return "+" + oneLine(string(json))
}

func oneLine(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r", " "), "\n", " ")
}

// collides says whether two keys of some map are the same in JSON.
func collides(tree interface{}) bool {
	switch value := tree.(type) {
	case map[interface{}]interface{}:
		names := map[string]bool{}
		for key, item := range value {
			name := fmt.Sprint(key)
			if number, ok := key.(float64); ok {
				name = strconv.FormatFloat(number, 'g', -1, 32)
				switch name {
				case "+Inf":
					name = ".inf"
				case "-Inf":
					name = "-.inf"
				case "NaN":
					name = ".nan"
				}
			}
			if names[name] || collides(item) {
				return true
			}
			names[name] = true
		}
	case []interface{}:
		for _, item := range value {
			if collides(item) {
				return true
			}
		}
	}
	return false
}
