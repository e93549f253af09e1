package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// pinning says where the adapters of a language name the versions of what they judge, and how newer
// ones are found.
type pinning struct {
	file    string         // in the folder of the adapter
	lock    string         // the file that is made of it, or ""
	pattern *regexp.Regexp // of a package and its version in the file

	// newest returns the newest versions of packages; nil: the commands write them into the file.
	newest func(ctx context.Context, folder string, packages []string) (map[string]string, error)

	// commands renew the lock file.
	commands func(folder string) [][]string
}

// pinnings are by the folders of the languages in lab/adapters.
var pinnings = map[string]pinning{
	"go": {
		file: "go.mod", lock: "go.sum", pattern: regexp.MustCompile(`(?m)^(?:require |\t)(\S+) v([1-9]\S*|0\.[1-9]\S*)$`), newest: newestModules,
		commands: func(folder string) [][]string { return [][]string{{"go", "-C", folder, "mod", "tidy"}} },
	},
	"java": {
		file: "pom.xml", pattern: regexp.MustCompile(`<(?:artifactId>([^<]+)</artifactId>\s*<version|([a-z0-9-]+)\.version)>(\d[^<]*)<`),
		commands: func(folder string) [][]string {
			const plugin = "org.codehaus.mojo:versions-maven-plugin:2.18.0:"
			return [][]string{{"mvn", "--batch-mode", "--quiet", "--file", folder, plugin + "use-latest-releases", plugin + "update-properties", "-DgenerateBackupPoms=false"}}
		},
	},
	"node": {
		file: "package.json", lock: "package-lock.json", pattern: regexp.MustCompile(`"([^"]+)": "(\d[^"]*)"`), newest: newestOfNPM,
		commands: func(folder string) [][]string {
			return [][]string{{"npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder}}
		},
	},
	"python": {file: "requirements.txt", pattern: regexp.MustCompile(`(?m)^([^=\s]+)==(\S+)$`), newest: newestOfPyPI},
	"rust": {
		file: "Cargo.toml", lock: "Cargo.lock", pattern: regexp.MustCompile(`(?m)^(\S+) = "=(\S+)"$`), newest: newestCrates,
		commands: func(folder string) [][]string {
			return [][]string{{"cargo", "generate-lockfile", "--quiet", "--manifest-path", path.Join(folder, "Cargo.toml")}}
		},
	},
}

// packages returns the packages of a text and their versions, in order.
func (p pinning) packages(text string) (names []string, versions map[string]string) {
	versions = map[string]string{}
	for _, match := range p.pattern.FindAllStringSubmatch(text, -1) {
		name, version := strings.Join(match[1:len(match)-1], ""), match[len(match)-1]
		names = append(names, name)
		versions[name] = version
	}
	return names, versions
}

// set writes versions into a text.
func (p pinning) set(text string, versions map[string]string) string {
	return p.pattern.ReplaceAllStringFunc(text, func(pin string) string {
		match := p.pattern.FindStringSubmatch(pin)
		name, version := strings.Join(match[1:len(match)-1], ""), match[len(match)-1]
		newest, ok := versions[name]
		if !ok {
			return pin
		}
		at := strings.LastIndex(pin, version)
		return pin[:at] + newest + pin[at+len(version):]
	})
}

// newestOfNPM asks npm for what it would install without a version.
func newestOfNPM(ctx context.Context, _ string, packages []string) (map[string]string, error) {
	return eachNewest(packages, func(name string) (string, error) { return said(ctx, "npm", "view", name, "version") })
}

func newestModules(ctx context.Context, folder string, packages []string) (map[string]string, error) {
	return eachNewest(packages, func(name string) (string, error) {
		version, err := said(ctx, "go", "list", "-C", folder, "-m", "-f", "{{.Version}}", name+"@latest")
		return strings.TrimPrefix(version, "v"), err
	})
}

var crateVersion = regexp.MustCompile(`(?m)^version: (\S+)(?: \(latest (\S+)\))?`)

func newestCrates(ctx context.Context, _ string, packages []string) (map[string]string, error) {
	return eachNewest(packages, func(name string) (string, error) {
		text, err := said(ctx, "cargo", "info", "--quiet", name)
		match := crateVersion.FindStringSubmatch(text)
		switch {
		case err != nil:
			return "", err
		case match == nil:
			return "", fmt.Errorf("cargo info %s names no version", name)
		case match[2] != "":
			return match[2], nil
		default:
			return match[1], nil
		}
	})
}

func eachNewest(packages []string, ask func(name string) (string, error)) (map[string]string, error) {
	versions := map[string]string{}
	for _, name := range packages {
		version, err := ask(name)
		if err != nil {
			return nil, err
		}
		versions[name] = version
	}
	return versions, nil
}

var notInPyPI = regexp.MustCompile(`[-_.]+`)

// newestOfPyPI asks pip what it would install of all packages together: the newest that go with
// each other.
func newestOfPyPI(ctx context.Context, _ string, packages []string) (map[string]string, error) {
	text, err := said(ctx, "python3", append([]string{"-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"}, packages...)...)
	if err != nil {
		return nil, err
	}
	var plan struct {
		Install []struct {
			Metadata struct{ Name, Version string }
		}
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		return nil, fmt.Errorf("pip install --report printed something else: %w", err)
	}
	normal := func(name string) string { return strings.ToLower(notInPyPI.ReplaceAllString(name, "-")) }
	planned := map[string]string{}
	for _, one := range plan.Install {
		planned[normal(one.Metadata.Name)] = one.Metadata.Version
	}
	return eachNewest(packages, func(name string) (string, error) {
		bare, _, _ := strings.Cut(name, "[")
		version := planned[normal(bare)]
		if version == "" {
			return "", fmt.Errorf("pip would not install %s", bare)
		}
		return version, nil
	})
}

// said runs a command, and returns what it prints.
func said(ctx context.Context, command string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, command, args...)
	var wrong strings.Builder
	c.Stderr = &wrong
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", command, strings.Join(args, " "), err, strings.TrimSpace(wrong.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// agentPackage is the package of an agent in its loop.yaml.
var agentPackage = pinning{file: matrix.LoopFileName, pattern: regexp.MustCompile(`(?m)^package: "?(@?[^@"]+)@([^"\s]+)"?$`), newest: newestOfNPM}

// kept are files as they were before versions were changed in them.
type kept map[string][]byte

// keep reads all files of a folder that the repository has.
func keep(ctx context.Context, folder string) (kept, error) {
	list, err := said(ctx, "git", "ls-files", "-z", "--", folder)
	if err != nil {
		return nil, err
	}
	files := kept{}
	for name := range strings.SplitSeq(strings.TrimRight(list, "\x00"), "\x00") {
		if files[name], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// restore writes them again.
func (k kept) restore() error {
	for name, data := range k {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// mention replaces versions in the texts of an adapter that name them, such as what it says of
// itself. In an agent's folder, where people write, only the package is replaced.
func (k kept) mention(p pinning, changed []change) error {
	for name, data := range k {
		base := filepath.Base(name)
		if p.file == matrix.LoopFileName || base == p.file || base == p.lock {
			continue
		}
		text := string(data)
		for _, c := range changed {
			text = replaceVersion(text, c.from, c.to)
		}
		if text == string(data) {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// replaceVersion replaces a version in a text, and not where it is a part of another one.
func replaceVersion(text, from, to string) string {
	whole := regexp.MustCompile(`(^|[^0-9.])` + regexp.QuoteMeta(from) + `($|[^0-9.]|\.(?:$|[^0-9]))`)
	return whole.ReplaceAllString(text, "${1}"+strings.ReplaceAll(to, "$", "$$")+"${2}")
}

// change is a package of which there is a newer version.
type change struct{ name, from, to string }

func (c change) String() string { return c.name + " " + c.to }
