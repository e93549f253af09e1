package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/wire"
)

// settingPrefix begins the environment variables that set flags: LOOPPROOF_JOURNAL_MB is
// --journal-mb.
const settingPrefix = "LOOPPROOF_"

// configFlag is the flag that names the file with settings.
const configFlag = "config"

// registerConfig registers that flag.
func registerConfig(set *pflag.FlagSet) {
	set.String(configFlag, "", "read flags from this YAML `file`, by their names: \"port: 9000\", \"scenario: [a, b]\"; a variable "+settingPrefix+"PORT comes before it, and a flag of the command line before both")
}

// variableOf returns the name of the environment variable that sets a flag.
func variableOf(flag string) string {
	return settingPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// applySettings sets the flags that the command line does not set: from the environment, which is a
// list of name=value, and what it does not have from the file of --config. It returns warnings
// about variables that are probably misspelt.
func applySettings(set *pflag.FlagSet, environment []string) (warnings []string, err error) {
	warnings, err = applyEnvironment(set, environment)
	if file := set.Lookup(configFlag).Value.String(); err == nil && file != "" {
		err = applyFile(set, file)
	}
	return warnings, err
}

func applyEnvironment(set *pflag.FlagSet, environment []string) (warnings []string, err error) {
	flags := map[string]*pflag.Flag{}
	var known []string
	set.VisitAll(func(f *pflag.Flag) {
		flags[variableOf(f.Name)] = f
		known = append(known, variableOf(f.Name))
	})
	var errs []error
	for _, pair := range environment {
		name, value, _ := strings.Cut(pair, "=")
		f := flags[name]
		switch {
		case !strings.HasPrefix(name, settingPrefix) || value == "" || ofService(name, value):
		case f == nil:
			if hint := suggest.Hint(name, known); hint != "" {
				warnings = append(warnings, fmt.Sprintf("the variable %s is not known%s", name, hint))
			}
		case !f.Changed:
			errs = append(errs, setFlag(set, f, name, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == '\n' }), value))
		}
	}
	return warnings, errors.Join(errs...)
}

// ofService reports whether a variable is one of those that Kubernetes sets for a service that is
// called loopproof, as in LOOPPROOF_PORT=tcp://10.0.0.1:80.
func ofService(name, value string) bool {
	return strings.Contains(value, "://") && name == variableOf("port") || strings.HasPrefix(name, settingPrefix+"SERVICE_") || strings.HasPrefix(name, settingPrefix+"PORT_")
}

// setFlag sets a flag to what a variable or a key of that name says: to its items where the flag is
// repeatable, or else to the text.
func setFlag(set *pflag.FlagSet, f *pflag.Flag, name string, items []string, text string) error {
	list, repeatable := f.Value.(pflag.SliceValue)
	var err error
	switch {
	case repeatable:
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		err = list.Replace(items)
		f.Changed = true
	default:
		err = set.Set(f.Name, text)
	}
	if err != nil {
		return fmt.Errorf("%s must be %s, not %q", name, valueOf(f), text)
	}
	return nil
}

func applyFile(set *pflag.FlagSet, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--%s: %w", configFlag, err)
	}
	doc, err := strictyaml.Parse(file, data)
	if err != nil {
		return err
	}
	root, _ := doc.JSONAt("")
	fields, isMapping := root.(wire.Fields)
	if !isMapping {
		return doc.Errorf("", "expected the names of flags and their values, such as port: 9000")
	}
	var known []string
	set.VisitAll(func(f *pflag.Flag) {
		if f.Name != configFlag && f.Name != "help" {
			known = append(known, f.Name)
		}
	})
	var errs []error
	for _, field := range fields {
		if err := applyField(set, field, known); err != nil {
			errs = append(errs, doc.Errorf("/"+field.Key, "%v", err))
		}
	}
	return errors.Join(errs...)
}

// applyField sets a flag to what a file says, unless it is set.
func applyField(set *pflag.FlagSet, field wire.Field, known []string) error {
	if !slices.Contains(known, field.Key) {
		return fmt.Errorf("unknown key %q%s; the keys are the flags of the command, without --", field.Key, suggest.Hint(field.Key, known))
	}
	f := set.Lookup(field.Key)
	_, repeatable := f.Value.(pflag.SliceValue)
	list, isList := field.Value.([]any)
	switch {
	case f.Changed || field.Value == nil:
		return nil
	case isList && !repeatable:
		return fmt.Errorf("%s takes one value, not a list", field.Key)
	case !isList:
		list = []any{field.Value}
	}
	items := make([]string, len(list))
	for i, item := range list {
		items[i] = settingText(item)
	}
	return setFlag(set, f, field.Key, items, strings.Join(items, ","))
}

// settingText writes a value of a file as the command line has it; a mapping is that of
// --behaviour.
func settingText(value any) string {
	if text, is := value.(string); is {
		return text
	}
	return string(wire.JSON(value))
}
