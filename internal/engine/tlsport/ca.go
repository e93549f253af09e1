package tlsport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"sync"
	"time"
)

// CA signs certificates for whatever name a client asks. Its key is in memory only, and ends with
// the process.
type CA struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey // of all certificates

	mu     sync.Mutex
	issued map[string]*tls.Certificate // by name
}

// life is how long the certificates are valid.
const life = 365 * 24 * time.Hour

// maxIssued bounds how many certificates are kept. Further ones are made for each connection.
const maxIssued = 1000

// NewCA makes a certificate authority whose certificates are valid from an hour before now, since
// clocks differ, for a year.
func NewCA(now time.Time) (*CA, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := newTemplate(now, "Loopproof mock provider, made "+now.UTC().Format(time.RFC3339))
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	certificate, err := sign(template, template, key)
	return &CA{certificate: certificate, key: key, issued: map[string]*tls.Certificate{}}, err
}

func newTemplate(now time.Time, name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // crypto/rand never fails
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(life),
	}
}

func sign(template, by *x509.Certificate, key *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// PEM returns the certificate of the authority, which clients have to trust.
func (ca *CA) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.certificate.Raw})
}

// Config returns how a server speaks TLS with these certificates: HTTP/1.1 only, since scenarios
// interrupt connections.
func (ca *CA) Config() *tls.Config {
	return &tls.Config{GetCertificate: ca.get, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}
}

// get returns a certificate for the name that a client asks, or for the address where it asks none.
func (ca *CA) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := hello.ServerName
	if name == "" {
		host, _, err := net.SplitHostPort(hello.Conn.LocalAddr().String())
		if err != nil {
			return nil, errors.New("the client names no host")
		}
		name = host
	}
	ca.mu.Lock()
	defer ca.mu.Unlock()
	if made := ca.issued[name]; made != nil {
		return made, nil
	}
	template := newTemplate(ca.certificate.NotBefore.Add(time.Hour), "Loopproof mock provider")
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	leaf, err := sign(template, ca.certificate, ca.key)
	if err != nil {
		return nil, err
	}
	made := &tls.Certificate{Certificate: [][]byte{leaf.Raw, ca.certificate.Raw}, PrivateKey: ca.key, Leaf: leaf}
	if len(ca.issued) < maxIssued {
		ca.issued[name] = made
	}
	return made, nil
}
