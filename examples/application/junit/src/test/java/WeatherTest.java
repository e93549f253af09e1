import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WeatherTest {
    @RegisterExtension static final MockModel model = new MockModel();

    @Test
    void saysWhatItKnows() throws Exception {
        var answer = model.ask("""
            {"model": "gpt-5", "messages": [{"role": "user", "content": "Sing."}]}""");
        assertEquals("I only know about the weather.", answer.at("/choices/0/message/content").asText());
    }

    @Test
    void looksTheWeatherUp() throws Exception {
        var asked = model.ask("""
            {"model": "gpt-5", "messages": [{"role": "user", "content": "What is the weather in Oslo?"}],
             "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]}""");
        assertEquals("{\"city\": \"Oslo\"}", asked.at("/choices/0/message/tool_calls/0/function/arguments").asText());
    }
}
