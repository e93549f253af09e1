// Package egress has the rules about the form of requests.
package egress

import (
	"slices"
)

// Rules are the rules of this area that are about no dialect alone.
var Rules = slices.Concat(coreRules, unicodeRules, keyRules, requestRules, toolRules, schemaRules, schemaValidRules, answerFormatRules, schemaDraftRules, parameterRules, parameterTypeRules, parameterValueRules, optionKeyRules, valueFormRules)
