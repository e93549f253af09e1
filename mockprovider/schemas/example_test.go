package schemas_test

import (
	"fmt"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/mockprovider/schemas"
)

// A mock provider that checks answers by a strict schema, and the check itself.
func ExampleCheck() {
	srv := mockprovider.NewServer(mockprovider.Config{Schema: schemas.Check})
	defer srv.Close()
	schema := []byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	fmt.Println(schemas.Check(schema, []byte(`{"city":"Oslo"}`)))
	fmt.Println(schemas.Check(schema, []byte(`{}`)) != nil)
	// Output:
	// <nil>
	// true
}
