package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// target is a system that binaries are built for, by its names in Go, npm and PyPI.
type target struct {
	os, arch       string
	npmOS, npmCPU  string
	wheelPlatforms string
}

// The binaries are static, so that one for Linux runs with any C library: its wheel carries the
// tags of glibc and musl. Go 1.26 requires macOS 12.
var targets = []target{
	{"linux", "amd64", "linux", "x64", "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "linux", "arm64", "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "darwin", "x64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win32", "x64", "win_amd64"},
	{"windows", "arm64", "win32", "arm64", "win_arm64"},
}

// binary is the name of the program.
func (t target) binary() string {
	if t.os == "windows" {
		return "loopproof.exe"
	}
	return "loopproof"
}

func hostTarget() (target, error) {
	for _, t := range targets {
		if t.os == runtime.GOOS && t.arch == runtime.GOARCH {
			return t, nil
		}
	}
	return target{}, fmt.Errorf("there is no release for %s/%s", runtime.GOOS, runtime.GOARCH)
}

// build compiles the command of the repository at root for a target and returns the binary.
func build(root string, t target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "loopproof-packaging")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, t.binary())
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/loopproof")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
	}
	return os.ReadFile(binary)
}
