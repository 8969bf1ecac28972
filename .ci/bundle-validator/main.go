// Says what the Operator Framework's own validators find in bundles for the Operator Lifecycle Manager, so that our bundles can be held
// against them. Each argument is the folder of a bundle; for each finding a line goes to stdout, with tabs: the level (Error,
// Warning or Panic), the folder, and the finding. It exits with 1 if there are errors; a bundle that cannot be read is one.
//
// Left out: the validator of architectures, which pulls images, those of other formats (package manifests), and the one that is
// deprecated for another that is no library.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/api/pkg/validation/errors"
	validator "github.com/operator-framework/api/pkg/validation/interfaces"
)

var version = "unknown"

// The library writes to os.Stdout, too; from the start of main on, that is the standard error.
var out = os.Stdout

// The default validators of `operator-sdk bundle validate`, and its optional ones.
var validators = validator.Validators{
	validation.ClusterServiceVersionValidator,
	validation.CustomResourceDefinitionValidator,
	validation.BundleValidator,
	validation.OperatorHubV2Validator,
	validation.StandardCapabilitiesValidator,
	validation.StandardCategoriesValidator,
	validation.ObjectValidator,
	validation.AlphaDeprecatedAPIsValidator,
	validation.GoodPracticesValidator,
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println(version)
		return
	}
	os.Stdout = os.Stderr
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: bundle-validator FOLDER...")
		os.Exit(2)
	}
	failed := false
	for _, folder := range os.Args[1:] {
		failed = !validate(folder) || failed
	}
	if failed {
		os.Exit(1)
	}
}

func validate(folder string) (good bool) {
	defer func() {
		// A mistake of theirs, of which there is at least one: an empty list of icons.
		if problem := recover(); problem != nil {
			say("Panic", folder, fmt.Sprint(problem))
			good = false
		}
	}()
	bundle, err := manifests.GetBundleFromDir(folder)
	if err != nil {
		say(errors.LevelError, folder, "cannot be read: "+err.Error())
		return false
	}
	good = true
	for _, result := range validators.Validate(bundle.ObjectsToValidate()...) {
		for _, finding := range append(result.Warnings, result.Errors...) {
			say(string(finding.Level), folder, strings.TrimPrefix(finding.Error(), string(finding.Level)+": "))
		}
		good = good && !result.HasError()
	}
	return good
}

func say(level, folder, detail string) {
	fmt.Fprintf(out, "%s\t%s\t%s\n", level, folder, strings.ReplaceAll(detail, "\n", " "))
}
