// Package scenarios holds the scripted conversations: one YAML file each, in folders named after the areas of the
// rulebook, written in neutral words and played in every dialect that can say them.
//
//	# Lima's tool finishes first: results are matched by id, not by arrival.
//	loopproof: 1
//	title: Parallel results carry the id of the call they answer
//	rules: [pairing/result-carries-its-call-id]
//	needs: [parallel-calls]
//	prompt: Compare the weather in Oslo and Lima.
//	tools:
//	  get_weather:
//	    parameters: {city: string}
//	    results:
//	      - {when: {city: Oslo}, after: 50ms, text: 4 C}
//	      - {when: {city: Lima}, text: 19 C}
//	model:
//	  - calls:
//	      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
//	      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
//	  - text: Lima is warmer.
//
// [Load] reads a folder of such files; the id of a scenario is its path without the ending.
package scenarios
