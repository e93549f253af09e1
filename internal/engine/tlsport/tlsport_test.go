package tlsport_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/tlsport"
)

// TestClients: one port answers http, https by address and by name, and clients that take it for
// their proxy: for https, for http, and for hosts that are not there.
func TestClients(t *testing.T) {
	ca, err := tlsport.NewCA(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.Serve(tlsport.Listen(l, ca.Config()), engine.New(engine.Config{Tunnels: tlsport.NewTunnels(ca.Config())}))
	defer srv.Close()
	here, trusted := l.Addr().String(), x509.NewCertPool()
	trusted.AppendCertsFromPEM(ca.PEM())
	for _, c := range []struct {
		name, url string
		proxy     string
		roots     *x509.CertPool
		fails     string
	}{
		{"plain", "http://" + here, "", trusted, ""},
		{"address", "https://" + here, "", trusted, ""},
		{"name", "https://localhost:" + here[strings.LastIndex(here, ":")+1:], "", trusted, ""},
		{"fixed address", "https://api.openai.com", "http://" + here, trusted, ""},
		{"https to the proxy", "https://api.anthropic.com:8443", "https://" + here, trusted, ""},
		{"http behind the proxy", "http://api.openai.com", "http://" + here, trusted, ""},
		{"who does not trust it", "https://api.openai.com", "http://" + here, x509.NewCertPool(), "unknown authority"},
	} {
		t.Run(c.name, func(t *testing.T) {
			transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: c.roots}}
			if c.proxy != "" {
				proxy, err := url.Parse(c.proxy)
				if err != nil {
					t.Fatal(err)
				}
				transport.Proxy = http.ProxyURL(proxy)
			}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for range 2 { // the second time on the same connection
				resp, err := client.Get(c.url + "/v1/models")
				if c.fails != "" {
					if err == nil || !strings.Contains(err.Error(), c.fails) {
						t.Errorf("it ends with %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `"loopproof"`) {
					t.Errorf("it answers %s %s, %v", resp.Status, body, err)
				}
			}
		})
	}
}

// TestCloseWithOpenTunnels: a server ends although clients hold tunnels in which they say nothing,
// and half a handshake is no reason to wait either.
func TestCloseWithOpenTunnels(t *testing.T) {
	ca, err := tlsport.NewCA(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.Serve(tlsport.Listen(l, ca.Config()), engine.New(engine.Config{Tunnels: tlsport.NewTunnels(ca.Config())}))
	for _, more := range []string{"", "\x16\x03"} {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com:443\r\n\r\n"+more)
		established := make([]byte, len("HTTP/1.1 200 "))
		if _, err := io.ReadFull(c, established); err != nil || string(established) != "HTTP/1.1 200 " {
			t.Fatalf("the proxy says %q, %v", established, err)
		}
	}
	srv.Close()
}
