// Package tlsport lets a server answer http and https on one port, with certificates that are made
// on the spot, and be the proxy of clients that insist on the https address of their provider.
//
//	ca, err := tlsport.NewCA(time.Now())
//	tunnels := tlsport.NewTunnels(ca.Config())
//	go http.Serve(tunnels.Listener(), handler)
//	go http.Serve(tlsport.Listen(l, ca.Config()), tunnels.Handler(handler))
//	os.WriteFile("ca.pem", ca.PEM(), 0o644) // for the client: SSL_CERT_FILE, NODE_EXTRA_CA_CERTS
package tlsport
