// Package otherapis answers what applications ask of a provider besides turns of the model:
// embeddings and moderations. An answer depends on the request alone, so that a test needs no
// script for it.
//
//	fields, bad := otherapis.Embeddings(body)
//
// The vector of a text depends on the text alone: the same text has the same one, and texts that
// share words or parts of words have near ones.
package otherapis

// BadRequest is why a request is refused, in the form of OpenAI.
type BadRequest struct {
	Param, Message string
	Code           *string
}
