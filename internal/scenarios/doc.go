// Package scenarios reads scripted conversations: one YAML file each, written in neutral words and
// played in every dialect that can say them. [Load] reads a folder of such files; the id of a
// scenario is its path without the ending. [Compile] makes the script of a scenario for a profile.
// Programs import the public package of the same name.
package scenarios
