package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	answers "github.com/loopproof/loopproof/internal/engine/oracles"
	"github.com/loopproof/loopproof/lab/agreement"
)

// command starts a server. In its arguments ADDR stands for the address, HOST and PORT for its
// parts.
type command struct {
	args []string
	env  []string
}

// server is a running oracle.
type server struct {
	url     string
	process *exec.Cmd
	log     string // file of what it printed
	source  string // folder of the oracles
	ended   chan error
}

// start runs the command and waits until it takes connections.
func start(ctx context.Context, w *workshop, c command) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	host, port, _ := net.SplitHostPort(address)
	var args []string
	for _, a := range c.args {
		args = append(args, strings.NewReplacer("ADDR", address, "HOST", host, "PORT", port).Replace(a))
	}
	log, err := os.Create(filepath.Join(w.dir, "server.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	w.say("starting")
	s := &server{url: "http://" + address, log: log.Name(), source: filepath.Dir(w.source), ended: make(chan error, 1)}
	s.process = exec.CommandContext(ctx, args[0], args[1:]...)
	s.process.Env = append(os.Environ(), append(c.env, "PYTHONDONTWRITEBYTECODE=1")...)
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() { s.ended <- s.process.Wait() }()
	return s, s.wait(ctx, address)
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// wait returns when the server takes connections. llama-server does before its model is loaded.
func (s *server) wait(ctx context.Context, address string) error {
	for {
		select {
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("the server ended before it answered (%v):\n%s", err, s.tail())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		connection, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			continue
		}
		connection.Close()
		health, err := http.Get(s.url + "/health")
		if err != nil {
			continue
		}
		health.Body.Close()
		if health.StatusCode != http.StatusServiceUnavailable {
			return nil
		}
	}
}

// tail returns the last lines that the server printed.
func (s *server) tail() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}

func (s *server) stop() {
	s.process.Process.Kill()
	<-s.ended
}

// client opens a connection for each request: servers close idle ones when they like.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// post sends one body.
func (s *server) post(ctx context.Context, path string, b agreement.Body) (agreement.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+path, bytes.NewReader(b.Body))
	if err != nil {
		return agreement.Reply{}, err
	}
	for name, value := range answers.Headers() {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	if err != nil {
		return agreement.Reply{}, fmt.Errorf("%s: %w; it printed:\n%s", b.ID, err, s.tail())
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return agreement.Reply{}, fmt.Errorf("%s: %w", b.ID, err)
	}
	reply := agreement.Reply{Status: answer.StatusCode}
	if reply.Refused() {
		reply.Error = compact(s.steady(text))
	}
	return reply, nil
}

// drawn are ids that a server draws for each answer.
var drawn = regexp.MustCompile(`req_[0-9a-f]{24}`)

// steady returns an error without what differs from run to run and from machine to machine.
func (s *server) steady(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte(s.source), []byte("oracles"))
	return drawn.ReplaceAll(text, []byte("req_0011223344556677889900aa"))
}

// compact returns an error body as JSON in one line, whatever the server wrote.
func compact(text []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, text) == nil {
		return b.Bytes()
	}
	quoted, _ := json.Marshal(string(text))
	return quoted
}

// askSide asks about all bodies of a dialect.
func (s *server) askSide(ctx context.Context, w *workshop, o *oracle, side side) (*agreement.Result, error) {
	r := &agreement.Result{
		Profile: side.profile, Oracle: o.name, Code: w.code(), Dialect: side.dialect, Path: side.path, Classes: side.classes, Forms: side.forms, NoEnvelope: side.noEnvelope,
	}
	for _, b := range agreement.Bodies(side.dialect) {
		if !r.Asks(b.Class()) {
			continue
		}
		a := agreement.Answer{Body: b.ID, Digest: b.Digest()}
		if side.leaveOut != nil {
			a.LeftOut = side.leaveOut(b)
		}
		if a.LeftOut == "" {
			if err := s.askOne(ctx, side, b, &a); err != nil {
				return nil, err
			}
		}
		r.Answers = append(r.Answers, a)
	}
	w.say("asked %s about %d requests", side.path, len(r.Answers))
	return r, nil
}

func (s *server) askOne(ctx context.Context, side side, b agreement.Body, a *agreement.Answer) (err error) {
	if a.Reply, err = s.post(ctx, side.path, b); err != nil {
		return err
	}
	if side.senseless != "" && strings.HasPrefix(agreement.Words(a.Error), side.senseless) {
		a.Reply = agreement.Reply{Status: http.StatusOK}
	}
	for _, name := range slices.Sorted(maps.Keys(side.others)) {
		other, err := s.post(ctx, side.others[name], b)
		if err != nil {
			return err
		}
		if other.Status == a.Status && agreement.Words(other.Error) == agreement.Words(a.Error) {
			continue
		}
		if a.Others == nil {
			a.Others = map[string]agreement.Reply{}
		}
		a.Others[name] = other
	}
	return nil
}

// askTemplates renders the bodies of Chat Completions that are conversations.
func (o *options) askTemplates(ctx context.Context, w *workshop, s *server) error {
	result := &agreement.Templates{Code: w.code()}
	var broken map[string]string
	for _, b := range agreement.Rendered() {
		text, err := s.render(ctx, b)
		if err != nil {
			return err
		}
		if broken == nil { // the first body is one that every template has to render
			broken = text.Raised
			for _, name := range text.Templates {
				if _, raises := broken[name]; raises {
					result.LeftOut = append(result.LeftOut, name)
				} else {
					result.Templates = append(result.Templates, name)
				}
			}
		}
		maps.DeleteFunc(text.Raised, func(name, _ string) bool { return slices.Contains(result.LeftOut, name) })
		result.Answers = append(result.Answers, agreement.TemplateAnswer{Body: b.ID, Digest: b.Digest(), Raised: text.Raised})
	}
	w.say("rendered %d requests with %d templates; %d render no plain tool round", len(result.Answers), len(result.Templates), len(result.LeftOut))
	return o.keep(result, result.File())
}

type rendering struct {
	Templates []string          `json:"templates"`
	Raised    map[string]string `json:"raised"`
}

func (s *server) render(ctx context.Context, b agreement.Body) (r rendering, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(b.Body))
	if err != nil {
		return r, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return r, fmt.Errorf("%s: %w; it printed:\n%s", b.ID, err, s.tail())
	}
	defer answer.Body.Close()
	return r, errors.Join(json.NewDecoder(answer.Body).Decode(&r))
}
