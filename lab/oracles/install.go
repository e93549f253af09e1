package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// requirement returns what to ask a registry for. The latest version is no older than the pinned
// one: pip would take an older one, rather than none, where it cannot tell the version of a newer
// one.
func (w *workshop) requirement() string {
	if w.latest {
		return w.oracle.code.pkg + ">=" + w.oracle.code.version
	}
	return w.oracle.code.pkg + "==" + w.oracle.code.version
}

// code returns the name and the version of what is asked.
func (w *workshop) code() string {
	if w.latest {
		return w.oracle.code.name + " (latest)"
	}
	return w.oracle.code.String()
}

// run runs a program in a folder, and returns what it printed when it fails.
func (w *workshop) run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, strings.Join(lines[max(0, len(lines)-20):], "\n"))
	}
	return nil
}

// once does something unless it was done before with the same key.
func (w *workshop) once(what, key string, do func() error) error {
	marker := filepath.Join(w.dir, what+".done")
	if done, err := os.ReadFile(marker); err == nil && string(done) == key {
		return nil
	}
	if err := do(); err != nil {
		return err
	}
	return os.WriteFile(marker, []byte(key), 0o644)
}

// venv makes a virtual environment with what requirements.txt of the oracle names, and returns its
// Python.
func (w *workshop) venv(ctx context.Context) (string, error) {
	requirements := filepath.Join(w.source, "requirements.txt")
	text, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(w.dir, "venv")
	python := filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	key := digest(text)
	if w.latest {
		key += " with the latest " + w.oracle.code.pkg
	}
	err = w.once("venv", key, func() error {
		w.say("installing Python packages")
		if err := w.run(ctx, w.dir, nil, w.python, "-m", "venv", "--clear", dir); err != nil {
			return err
		}
		install := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}
		if err := w.run(ctx, w.dir, nil, python, append(install, "--requirement", requirements)...); err != nil {
			return err
		}
		if !w.latest || w.oracle.code.pkg != "mistral-common" {
			return nil
		}
		return w.run(ctx, w.dir, nil, python, append(install, "--upgrade", w.oracle.code.pkg)...)
	})
	return python, err
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// download gets one file of a package with pip, and unpacks it. It returns the folder with its
// contents.
func (w *workshop) download(ctx context.Context, python, requirement string, env []string, flags ...string) (string, error) {
	dir := filepath.Join(w.dir, "source")
	err := w.once("source", requirement, func() error {
		w.say("downloading %s", requirement)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		args := append([]string{"-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", dir}, flags...)
		if err := w.run(ctx, w.dir, env, python, append(args, requirement)...); err != nil {
			return err
		}
		return w.unpack(ctx, python, dir)
	})
	return dir, err
}

// unpack unpacks the one archive of a folder beside itself.
func (w *workshop) unpack(ctx context.Context, python, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) != 1 {
		return fmt.Errorf("pip downloaded %d files to %s, not one", len(entries), dir)
	}
	archive := filepath.Join(dir, entries[0].Name())
	module := "tarfile"
	if strings.HasSuffix(archive, ".whl") {
		module = "zipfile"
	}
	return w.run(ctx, dir, nil, python, "-m", module, "-e", archive, dir)
}

// inside returns the folder of a source distribution: the only one in a folder.
func inside(dir string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*", "pyproject.toml"))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%s holds %d source distributions, not one", dir, len(found))
	}
	if err != nil {
		return "", err
	}
	return filepath.Dir(found[0]), nil
}
