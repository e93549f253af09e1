// Package sessions has the rules about conversations that outlive the process of the loop: it is
// killed in the middle, and started again with the same session.
//
// What a killed process leaves behind differs between correct loops, and so what is done anew: a
// call whose result was not stored may be run again or answered as broken off, and the model may be
// asked again for an answer that was not. What a request had told the model before is stored by
// then in every loop that claims durable-sessions: it comes back, and is not done again.
package sessions

// Rules are the rules of this area that are about no dialect alone.
var Rules = coreRules
