// Package sockets has the rules about asking a model over a WebSocket. What is asked, and what is made
// of the answers, is for the rules about those, which hold however they travel.
package sockets

// Rules are the rules of this area.
var Rules = socketRules
