package main

import (
	"crypto/tls"
	"crypto/x509"
	"slices"
	"testing"
)

// A server with a certificate answers under the names in it: a browser lets no other name lead
// there.
func TestNamesOfTheCertificateAreAllowed(t *testing.T) {
	f := accessFlags{hosts: []string{"mock.example.com"}}
	got := f.access(&tls.Certificate{Leaf: &x509.Certificate{DNSNames: []string{"mock.team.example.org", "*.ci.example.org"}}})
	if want := []string{"mock.example.com", "mock.team.example.org", "*.ci.example.org"}; !slices.Equal(got.Hosts, want) {
		t.Errorf("the hosts are %q, want %q", got.Hosts, want)
	}
	if got := f.access(nil).Hosts; !slices.Equal(got, f.hosts) {
		t.Errorf("without a certificate the hosts are %q", got)
	}
}
