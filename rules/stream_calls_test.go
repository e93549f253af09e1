package rules

var streamCallsCases = ruleCases{
	"stream/index-missing":    callQuirkCases("call-index-missing", "fragment-index-missing"),
	"stream/index-odd":        callQuirkCases("call-index-from-one", "call-index-sparse", "call-index-negative"),
	"stream/index-shared":     callQuirkCases("call-index-shared"),
	"stream/id-empty-later":   callQuirkCases("call-id-empty-later", "call-id-null-later"),
	"stream/id-repeated":      callQuirkCases("call-id-repeated"),
	"stream/id-missing":       callQuirkCases("call-id-missing", "call-id-empty"),
	"stream/ids-of-any-form":  callQuirkCases("call-id-long", "call-id-punctuated"),
	"stream/name-not-doubled": callQuirkCases("call-name-repeated", "call-name-empty-later"),
	"stream/name-in-pieces":   callQuirkCases("call-name-in-pieces", "call-name-late"),
	"stream/type-missing":     callQuirkCases("call-type-missing", "call-type-null"),
}
