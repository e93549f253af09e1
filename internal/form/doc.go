// Package form describes what the requests of a dialect look like, and finds where one looks
// otherwise. A dialect has one file, request.yaml, in the words of JSON Schema, in which each node
// names the rule that it belongs to:
//
//	//go:embed request.yaml
//	var file []byte
//
//	var requests = form.Lazy("request.yaml", file, nil)
//
//	for _, breach := range requests().Check(request, nil).Breaches {
//		fmt.Println(breach.Rule, breach.Pointer(), breach.Want)
//	}
//
// Rules, mutants, the keys that are known and the types of parameters are all derived from it. A
// node says what one value looks like:
//
//	type, enum, minimum, maximum, exclusiveMinimum, minLength, maxLength, pattern, minItems, maxItems, items,
//	properties, additionalProperties, minProperties, maxProperties, propertyNames, deprecated, format: byte
//
// are those of JSON Schema 2020-12, except that a property may be null, as providers take it for
// nothing, unless it is required. The other words are shorter ways to say what JSON Schema can say:
//
//	required: true             of a property: the object has to have it
//	nulls: wrong               of a property: null is not nothing; with refused only where the provider is known to refuse it
//	refused: [enum]            the keywords that are broken only where the provider is known to refuse it
//	wrong: [a, b]              that these words alone are none of enum, to which new ones are added often
//	like: regexp               which other words are taken besides those of enum
//	own: name                  what some providers have in place of the words of enum, or of the keys: a list of profiles
//	keys: [a, b]               besides the properties the object may have these keys, and no others (additionalProperties: false)
//	also: name                 a list of profiles with keys that the object may have besides
//	forbidden: [a, b]          that the object has none of these keys, of which keys says nothing then
//	is: name                   what the node of this name says, too ($ref)
//	or: object                 besides the words of enum, any object, or any number (anyOf)
//	prefix: rs_                how a text begins, if it is not empty (pattern)
//	by: type, of: {a|b: ...}   the node for objects whose key type is a or b, and else for others (oneOf with a discriminator);
//	                           with an enum the words that there are, "" if it may be missing; with as, what the dialect takes
//	                           for the word where an object may leave it out
//	itemsBy: type              each item of the list is an object with a text under this key (items)
//	anyOf: [a, b]              the object has one of these keys, of the type that its property has
//	oneOf: [a, b]              the object has at most one of these keys
//	onlyWith: {role: user}     the key stands only in an object with this word, with one of several, or with true
//	with: key                  the key stands only beside another one
//	notWith: key               the key does not stand beside another one
//	insteadOf: key             the key is none; where the other key is missing, the provider misses that first
//
// A file with json: protobuf is about an API whose types are messages of protobuf. Its requests are
// read as protobuf reads JSON (https://protobuf.dev/programming-guides/json/, and the parser of
// protobuf 21.12): a key is in camelCase or in snake_case, one value stands for a list of one, null
// for nothing, a text for a number or a flag, and a word of an enum is in capitals or not. There,
// items is said without a type, int32, int64, float and double are formats of numbers, and the names
// of nodes are those of messages and enums. Breaches are at the keys as they were sent, and in the
// order of the request.
//
// Each keyword is judged: by the rule of its node, or of the keyword (rule: {enum: ...}), or, of a type,
// by the one under types. Rules that are written in Go are named in the same way, and listed under
// elsewhere. A keyword that no rule judges says why:
//
//	unjudged: {type: anyOf wants a text}
//
// A breach is at the value that is wrong; at says that it is at the object instead, or at its key,
// or of a property at the object that has it (owner).
// evidence names rules that a request with an object at the node is evidence for. places: tagged says
// of a form that its provider names places with the words of by: tools.0.custom.name.
package form
