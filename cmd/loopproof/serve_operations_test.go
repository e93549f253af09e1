package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

// ask asks a provider to greet, and returns what it says.
func greeted(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	resp, err := client.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

const greeting = "loopproof: 1\ntitle: Greeting\nmodel:\n  - when: {user: Hello?}\n    text: Good day.\n"

// A file that was changed is played from then on; a broken one leaves all as it was, and says what
// is wrong.
func TestReload(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hello.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(greeting)
	openai, err := profiles.Get("openai")
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	v := &service{streams: streams{err: &said}, flags: &serveFlags{scenarios: []string{file}}, profile: openai}
	if err := v.load(); err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Scenarios: v.scenarios})
	defer srv.Close()
	for _, step := range []struct{ write, says, wrong string }{
		{greeting, "Good day.", ""},
		{strings.Replace(greeting, "day", "night", 1), "Good night.", ""},
		{greeting + "  - nonsense: 1\n", "Good night.", "hello.yaml:6:5: unknown key"},
		{"", "Good night.", "the file is empty"},
		{greeting, "Good day.", ""},
	} {
		write(step.write)
		err := v.reload(srv.Provider)
		if (err != nil) != (step.wrong != "") || err != nil && !strings.Contains(err.Error(), step.wrong) {
			t.Errorf("reading %q again gives %v, want %q", step.write, err, step.wrong)
		}
		if got := greeted(t, http.DefaultClient, srv.URL); !strings.Contains(got, step.says) {
			t.Errorf("after %q the answer is %s, want %s", step.write, got, step.says)
		}
	}
}

// With a certificate the provider speaks https, and no other protocol above it than the one whose
// answers can break off.
func TestTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &operationFlags{cert: cert, key: key}
	if l, err = f.secured(l); err != nil {
		t.Fatal(err)
	}
	srv := engine.Serve(l, engine.New(engine.Config{}))
	defer srv.Close()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get("https://" + l.Addr().String() + "/loopproof/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 || resp.TLS == nil || resp.ProtoMajor != 1 {
		t.Errorf("the answer is %s by %s", resp.Status, resp.Proto)
	}
}

func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, data []byte) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	pool = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", keyDER), pool
}
