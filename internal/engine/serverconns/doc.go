// Package serverconns makes the servers that others reach: no client may take any time for its
// request, and connections that clients open ahead are treated well. Browsers open some, and the
// client of net/http dials one when all are busy, and keeps it for later when another one was free
// first.
//
// net/http counts the time for the head of a request from the first byte, but for the first request
// of a connection, where it counts from when the connection was accepted. A server that closes it
// after [http.Server.ReadHeaderTimeout] may do so while a request is on its way, which is lost
// then, since a POST is not sent twice. [Listen] gives more time for the first byte.
//
// [http.Server.Shutdown] takes a new connection for one whose request is on its way, and waits for
// it for five seconds. [CloseAtShutdown] closes those on which nothing was ever asked.
//
//	server := serverconns.New(handler, time.Minute)
//	server.Serve(serverconns.Listen(l))
package serverconns
