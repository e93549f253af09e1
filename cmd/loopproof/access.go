package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/engine/guard"
)

// accessFlags are the flags of serve and record that allow what a page of another site could have
// sent.
type accessFlags struct{ hosts, origins []string }

func (f *accessFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.hosts, "allow-host", nil, "also answer under this `host` name, besides addresses and local names; repeatable, *.example.com allows all below")
	set.StringArrayVar(&f.origins, "allow-origin", nil, "allow web pages of this `origin` to call the models and read the answers, besides those of this machine; repeatable, * allows all")
}

func (f *accessFlags) check() error {
	var errs []error
	for _, host := range f.hosts {
		name := strings.TrimPrefix(host, "*.")
		if host != "*" && (name == "" || strings.ContainsAny(name, "/:* ")) {
			errs = append(errs, fmt.Errorf("--allow-host takes the name of a host alone, such as mock.example.com, not %q", host))
		}
	}
	for _, origin := range f.origins {
		u, err := url.Parse(origin)
		known := origin == "*" || origin == "null" || origin == "file://"
		if !known && (err != nil || u.Host == "" || !strings.EqualFold(origin, u.Scheme+"://"+u.Host)) {
			errs = append(errs, fmt.Errorf("--allow-origin takes an origin as browsers send it, such as https://app.example.com, or *, not %q", origin))
		}
	}
	return errors.Join(errs...)
}

// access returns what is allowed: also the names in the certificate of the server, or nil if it has
// none.
func (f *accessFlags) access(certificate *tls.Certificate) guard.Access {
	hosts := f.hosts
	if certificate != nil && certificate.Leaf != nil {
		hosts = append(hosts[:len(hosts):len(hosts)], certificate.Leaf.DNSNames...)
	}
	return guard.Access{Hosts: hosts, Origins: f.origins}
}
