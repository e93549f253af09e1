// Package profiles reads what describes a provider: one YAML file for each flavour of a dialect. A
// profile says how its provider writes answers and errors, what it wants back of the model's
// reasoning, and which violations of which rules it refuses, in its own words and with a source.
//
// The files are embedded; [Load] reads others in the same form. Programs import the public package
// of the same name.
package profiles
