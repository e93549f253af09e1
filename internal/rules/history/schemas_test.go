package history_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// seats has a tool whose schema says more than types.
var seats = Scene(`
prompt: Book two seats.
tools:
  book:
    description: |
      Book seats.
      Not twice.
    schema:
      type: object
      properties:
        class: {type: string, description: Class of the train, enum: [first, second]}
        seats:
          type: array
          items:
            type: object
            properties:
              name: {type: string}
              bags: {type: array, items: {type: integer}}
            required: [name]
      required: [seats]
    results: [{text: booked}]
model:
  - calls: [{as: set, tool: book, arguments: '{"seats":[{"name":"Ada"}]}'}]
  - text: Booked.
`)

const seatsSchema = `{"type":"object","required":["seats"],"properties":{
	"class":{"type":"string","description":"Class of the train","enum":["first","second"]},
	"seats":{"type":"array","items":{"type":"object","required":["name"],"properties":{
		"name":{"type":"string"},"bags":{"type":"array","items":{"type":"integer"}}}}}}}`

// booking are the requests of seats with these words and this schema for the tool.
func booking(description, schema string) string {
	return asking(`{"type":"function","function":{"name":"book","description":"` + description + `","parameters":` + strings.Join(strings.Fields(schema), " ") + `}}`)
}

// changed is the schema with another text in one place.
func changed(from, to string) string {
	schema := strings.Join(strings.Fields(seatsSchema), "")
	from, to = strings.ReplaceAll(from, " ", ""), strings.ReplaceAll(to, " ", "")
	if !strings.Contains(schema, from) {
		panic("the schema has no " + from)
	}
	return strings.ReplaceAll(strings.Replace(schema, from, to, 1), "Classofthetrain", "Class of the train")
}

const (
	inSchema  = "/tools/0/function/parameters"
	bookSeats = `Book seats. Not twice.`
)

var schemaCases = Cases{
	"history/schemas-as-given": {
		Holds("as given", seats, `
			asks
			asks on
				calls set
				result set
			completed`),
		Holds("with more words, in one line", seats, booking("Book seats. Not twice. It costs money.", seatsSchema)),
		Holds("strict mode: closed, all required, nullable", seats, booking(bookSeats, `{"type":"object","additionalProperties":false,"required":["class","seats"],"properties":{
			"class":{"type":["string","null"],"description":"Class of the train","enum":["second","first",null]},
			"seats":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","bags"],"properties":{
				"name":{"type":"string","title":"Name"},"bags":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}}}}}}`)),
		Holds("after references, and as constants", seats, booking(bookSeats, `{"type":"object","required":["seats"],
			"$defs":{"Seat":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"bags":{"type":"array","items":{"type":"integer"}}}}},
			"properties":{"class":{"anyOf":[{"const":"first"},{"const":"second"}],"type":"string","description":"Class of the train"},
				"seats":{"type":"array","items":{"$ref":"#/$defs/Seat"}}}}`)),
		Holds("in the types of Gemini", seats.Under("gemini-3"), asking(`{"functionDeclarations":[{"name":"book","description":"`+bookSeats+`","parameters":{"type":"OBJECT","required":["seats"],"properties":{"class":{"type":"STRING","description":"Class of the train","enum":["first","second"],"format":"enum","nullable":true},"seats":{"type":"ARRAY","items":{"type":"OBJECT","required":["name"],"properties":{"name":{"type":"STRING"},"bags":{"type":"ARRAY","items":{"type":"INTEGER"}}}}}}}}]}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("the last turn that the limit allows, which has to be an answer", Scene("max-turns: 1\n"+OneCity.Scenario), `
			asks without tools
			completed: I cannot look.`),
		Holds("a tool that is not offered is for tools-as-given", seats, `
			asks without tools
			asks on
				calls set
				result set
			completed`),
		Holds("a parameter that is lost at the top is for tools-as-given", seats, booking(bookSeats, `{"type":"object","properties":{"class":{"type":"string","description":"Class of the train","enum":["first","second"]}}}`)),
		Breaks("no description of the tool", seats, booking("Book.", seatsSchema),
			Found(1, inSchema, "the description of the tool book is not offered as it was given", `"Book seats. Not twice."`, `"Book."`)),
		Breaks("no description of a parameter", seats, booking(bookSeats, changed(`"description":"Class of the train",`, ``)),
			Found(1, inSchema, "the description of the parameter class of book is not offered as it was given", `"Class of the train"`, `""`)),
		Breaks("no enum", seats, booking(bookSeats, changed(`,"enum":["first","second"]`, ``)),
			Found(1, inSchema, "the values of the parameter class of book are not offered as they were given", "first, second", "any value")),
		Breaks("another enum", seats, booking(bookSeats, changed(`"first","second"`, `"FIRST","SECOND"`)),
			Found(1, inSchema, "the values of the parameter class of book are not offered as they were given", "first, second", "FIRST, SECOND")),
		Breaks("nothing is required", seats, booking(bookSeats, changed(`"required":["seats"],`, ``)),
			Found(1, inSchema, "the parameter seats of book is not required any more", "required", "nothing")),
		Breaks("nothing is required in an object", seats, booking(bookSeats, changed(`"required":["name"],`, ``)),
			Found(1, inSchema, "the parameter seats[].name of book is not required any more", "required", "nothing")),
		Breaks("a list of anything", seats, booking(bookSeats, changed(`{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"bags":{"type":"array","items":{"type":"integer"}}}}`, `{}`)),
			Found(1, inSchema, "the parameter seats[] of book is not offered as it was given", `{"type":"object","properties":{"name":{"type":"string"},"bags":{"type":"array","items":{"type":"integer"}}},"required":["name"]}`, `{}`)),
		Breaks("a property in an object is lost", seats, booking(bookSeats, changed(`,"bags":{"type":"array","items":{"type":"integer"}}`, ``)),
			Found(1, inSchema, "the parameter seats[].bags of book is not offered as it was given", `{"type":"array","items":{"type":"integer"}}`, "nothing")),
		Breaks("another type in a list", seats, booking(bookSeats, changed(`"integer"`, `"string"`)),
			Found(1, inSchema, "the parameter seats[].bags[] of book is not offered as it was given", `{"type":"integer"}`, `{"type":"string"}`)),
		Breaks("a schema that refers to itself", seats, booking(bookSeats, `{"type":"object","required":["seats"],"properties":{
			"class":{"type":"string","description":"Class of the train","enum":["first","second"]},
			"seats":{"type":"array","items":{"$ref":"#/properties/seats/items"}}}}`),
			Found(1, inSchema, "the parameter seats[] of book is not offered as it was given", `{"type":"object","properties":{"name":{"type":"string"},"bags":{"type":"array","items":{"type":"integer"}}},"required":["name"]}`, `{"$ref":"#/properties/seats/items"}`)),
	},
}
