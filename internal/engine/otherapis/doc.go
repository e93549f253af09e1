// Package otherapis answers what applications ask of a provider besides turns of the model:
// embeddings and moderations. A test needs no script for them, since an answer follows from the
// request.
//
//	asked, bad := otherapis.ReadEmbeddings(nil, body)
//	fields := asked.Write([]scenarios.Vector{otherapis.Embed(asked.Texts[0], asked.Usual)})
//
// The vector of a text depends on the text alone: the same text has the same one, and texts that
// share words or parts of words have near ones.
package otherapis

// BadRequest is why a request is refused, in the form of OpenAI.
type BadRequest struct {
	Param, Message string
	Code           *string
}
