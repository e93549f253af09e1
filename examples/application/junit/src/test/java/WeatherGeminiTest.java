import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.genai.Client;
import com.google.genai.types.*;
import dev.loopproof.junit.Loopproof;
import dev.loopproof.junit.ModelRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Loopproof(scenarios = "../scripts", profile = "gemini-3")
class WeatherGeminiTest {
    GenerateContentResponse ask(ModelRun model, Content... contents) {
        var city = Schema.builder().type("OBJECT").properties(Map.of("city", Schema.builder().type("STRING").build())).build();
        var function = FunctionDeclaration.builder().name("get_weather").parameters(city).build();
        var config = GenerateContentConfig.builder().tools(Tool.builder().functionDeclarations(function).build()).build();
        try (var client = Client.builder().apiKey(model.apiKey()).httpOptions(HttpOptions.builder().baseUrl(model.baseUrl()).build()).build()) {
            return client.models.generateContent("gemini-3-pro-preview", List.of(contents), config);
        }
    }

    @Test
    void saysWhatItKnows(ModelRun model) {
        assertEquals("I only know about the weather.", ask(model, Content.fromParts(Part.fromText("Sing."))).text());
    }

    @Test
    void looksTheWeatherUp(ModelRun model) {
        var question = Content.fromParts(Part.fromText("What is the weather in Oslo?"));
        var asked = ask(model, question);
        var call = asked.functionCalls().get(0);
        assertEquals(Map.of("city", "Oslo"), call.args().get());
        var response = FunctionResponse.builder().id(call.id().get()).name(call.name().get()).response(Map.of("city", "Oslo", "degrees", 4)).build();
        var answer = ask(model, question, asked.candidates().get().get(0).content().get(), Content.builder().role("user").parts(Part.builder().functionResponse(response).build()).build());
        assertEquals("It is 4 degrees in Oslo.", answer.text());
    }
}
