package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func installMistralCommon(ctx context.Context, w *workshop) (command, error) {
	python, err := w.venv(ctx)
	return w.script(python), err
}

// script returns the command that runs oracle.py.
func (w *workshop) script(python string, env ...string) command {
	return command{args: []string{python, filepath.Join(w.source, "oracle.py"), "ADDR"}, env: env}
}

func installVLLM(ctx context.Context, w *workshop) (command, error) {
	python, err := w.venv(ctx)
	if err != nil {
		return command{}, err
	}
	source, err := w.vllmSource(ctx, python)
	return w.script(python, "VLLM="+source), err
}

// vllmSource downloads the source distribution of vLLM. Its setup.py wants torch and a version
// before it tells its metadata, without which pip does not download: build-stubs is enough of a
// torch.
func (w *workshop) vllmSource(ctx context.Context, python string) (string, error) {
	env := []string{"VLLM_TARGET_DEVICE=empty", "PYTHONPATH=" + filepath.Join(w.source, "build-stubs")}
	if !w.latest {
		env = append(env, "VLLM_VERSION_OVERRIDE="+w.oracle.code.version)
	}
	dir, err := w.download(ctx, python, w.requirement(), env, "--no-build-isolation", "--no-binary", "vllm")
	if err != nil {
		return "", err
	}
	return inside(dir)
}

func installSGLang(ctx context.Context, w *workshop) (command, error) {
	python, err := w.venv(ctx)
	if err != nil {
		return command{}, err
	}
	// Nothing of the wheel is run but Python: the one for Linux does on every machine.
	source, err := w.download(ctx, python, w.requirement(), nil, "--only-binary=:all:", "--python-version=311", "--implementation=cp", "--abi=cp311",
		"--platform=manylinux_2_34_x86_64")
	return w.script(python, "SGLANG="+source), err
}

func installGoModule(ctx context.Context, w *workshop) (command, error) {
	module := filepath.Join(w.dir, "module")
	if err := os.RemoveAll(module); err != nil {
		return command{}, err
	}
	if err := os.CopyFS(module, os.DirFS(w.source)); err != nil {
		return command{}, err
	}
	env := []string{"GOWORK=off", "GOFLAGS=-mod=mod", "GOMAXPROCS=" + strconv.Itoa(w.builders)}
	if w.latest {
		// Unlike latest, upgrade keeps a version that the proxy serves and does not list.
		if err := w.run(ctx, module, env, "go", "get", w.oracle.code.pkg+"@upgrade"); err != nil {
			return command{}, err
		}
	}
	w.say("building")
	program := filepath.Join(w.dir, executable("oracle"))
	err := w.run(ctx, module, env, "go", "build", "-o", program, ".")
	return command{args: []string{program, "ADDR"}}, err
}

// protobufVersion is the first part of the version that the parser of the oracle gemini has, and 3
// before it.
const protobufVersion = "3.21."

// installGemini builds the Go program and the parser, and writes the descriptors.
func installGemini(ctx context.Context, w *workshop) (command, error) {
	found, err := exec.CommandContext(ctx, "pkg-config", "--modversion", "protobuf").Output()
	if version := strings.TrimSpace(string(found)); err != nil || !strings.HasPrefix(version, protobufVersion) {
		return command{}, fmt.Errorf("pkg-config finds protobuf %q, not %sx: install libprotobuf-dev of Debian 12, or name the folder of protobuf.pc in PKG_CONFIG_PATH", version, protobufVersion)
	}
	served, err := installGoModule(ctx, w)
	if err != nil {
		return command{}, err
	}
	flags, err := exec.CommandContext(ctx, "pkg-config", "--cflags", "--libs", "protobuf").Output()
	if err != nil {
		return command{}, err
	}
	parser, descriptors := filepath.Join(w.dir, executable("parser")), filepath.Join(w.dir, "descriptors")
	compile := append([]string{"-std=c++17", "-o", parser, filepath.Join(w.source, "parser", "parser.cc")}, strings.Fields(string(flags))...)
	if err := w.run(ctx, w.dir, nil, "c++", compile...); err != nil {
		return command{}, err
	}
	if err := w.run(ctx, w.dir, nil, served.args[0], descriptors); err != nil {
		return command{}, err
	}
	return command{args: append(served.args, parser, descriptors)}, nil
}

func installTemplates(ctx context.Context, w *workshop) (command, error) {
	python, err := w.venv(ctx)
	if err != nil {
		return command{}, err
	}
	llama, err := w.sourceOf(ctx, "llama-server")
	if err != nil {
		return command{}, err
	}
	vllm, err := w.sourceOf(ctx, "vllm")
	if err != nil {
		return command{}, err
	}
	folders := filepath.Join(llama, "vendor", "llama.cpp", "models", "templates") + string(os.PathListSeparator) + filepath.Join(vllm, "examples")
	return w.script(python, "TEMPLATES="+folders), nil
}

// sourceOf downloads the source distribution of another oracle.
func (w *workshop) sourceOf(ctx context.Context, name string) (string, error) {
	all := oracles()
	other, err := w.options.workshop(all[slices.IndexFunc(all, func(o *oracle) bool { return o.name == name })])
	if err != nil {
		return "", err
	}
	python, err := other.venv(ctx)
	if err != nil {
		return "", err
	}
	if name == "vllm" {
		return other.vllmSource(ctx, python)
	}
	return other.llamaSource(ctx, python)
}

func (w *workshop) llamaSource(ctx context.Context, python string) (string, error) {
	dir, err := w.download(ctx, python, w.requirement(), nil, "--no-binary=llama-cpp-python")
	if err != nil {
		return "", err
	}
	return inside(dir)
}

// llamaBuild are the settings of CMake for a server that is built fast. Nothing of its speed
// matters here.
var llamaBuild = []string{
	"-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_C_FLAGS=-O1", "-DLLAMA_BUILD_TESTS=OFF", "-DLLAMA_BUILD_EXAMPLES=OFF",
	"-DLLAMA_BUILD_APP=OFF", "-DLLAMA_USE_PREBUILT_UI=OFF", "-DLLAMA_OPENSSL=OFF", "-DBUILD_SHARED_LIBS=OFF", "-DGGML_OPENMP=OFF", "-DGGML_NATIVE=OFF",
}

func installLlamaServer(ctx context.Context, w *workshop) (command, error) {
	python, err := w.venv(ctx)
	if err != nil {
		return command{}, err
	}
	source, err := w.llamaSource(ctx, python)
	if err != nil {
		return command{}, err
	}
	build := filepath.Join(w.dir, "build")
	err = w.once("build", w.requirement(), func() error {
		w.say("building llama-server: this takes long")
		configure := append([]string{"-B", build, "-S", filepath.Join(source, "vendor", "llama.cpp")}, llamaBuild...)
		if err := w.run(ctx, w.dir, nil, "cmake", configure...); err != nil {
			return err
		}
		return w.run(ctx, w.dir, nil, "cmake", "--build", build, "--target", "llama-server", "--parallel", strconv.Itoa(w.builders))
	})
	if err != nil {
		return command{}, err
	}
	program, err := find(build, executable("llama-server"))
	if err != nil {
		return command{}, err
	}
	model := filepath.Join(w.dir, "tiny.gguf")
	template := filepath.Join(source, "vendor", "llama.cpp", "models", "templates", "Qwen-Qwen3-0.6B.jinja")
	if err := w.run(ctx, w.dir, nil, python, filepath.Join(w.source, "tiny.py"), model, template); err != nil {
		return command{}, err
	}
	// One token is enough of an answer.
	return command{args: []string{program, "--model", model, "--host", "HOST", "--port", "PORT", "--jinja", "--ctx-size", "32768", "--parallel", "1",
		"--threads", "1", "--no-warmup", "--predict", "1"}}, nil
}

// find returns the file of a name somewhere in a folder.
func find(dir, name string) (found string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == name && !strings.Contains(path, "CMakeFiles") {
			found = path
		}
		return err
	})
	if err == nil && found == "" {
		err = fmt.Errorf("the build made no %s in %s", name, dir)
	}
	return found, err
}
