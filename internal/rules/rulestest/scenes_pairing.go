package rulestest

// OneFails calls two tools of which the first fails.
var OneFails = Scene(WeatherTool + `
prompt: Compare the weather in Bonn and Lima.
model:
  - calls:
      - {as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`)

// OneBroken makes two calls of which the first cannot be run. Anyone who asks the tool anyway gets
// 11 C.
var OneBroken = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: broken, tool: get_weather, arguments: '{city: Oslo}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`)
