import static org.junit.jupiter.api.Assertions.assertEquals;

import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.models.responses.*;
import dev.loopproof.junit.Loopproof;
import dev.loopproof.junit.ModelRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Loopproof(scenarios = "../scripts", profile = "openai-responses")
class WeatherResponsesTest {
    Response ask(ModelRun model, ResponseCreateParams.Builder request) {
        var city = Map.of("type", "object", "properties", Map.of("city", Map.of("type", "string")));
        var tool = FunctionTool.builder().name("get_weather").strict(false).parameters(JsonValue.from(city).convert(FunctionTool.Parameters.class)).build();
        var client = OpenAIOkHttpClient.builder().baseUrl(model.baseUrl()).apiKey(model.apiKey()).build();
        return client.responses().create(request.model("gpt-5").addTool(tool).build());
    }

    String text(Response answer) { return answer.output().get(0).asMessage().content().get(0).asOutputText().text(); }

    @Test
    void saysWhatItKnows(ModelRun model) {
        assertEquals("I only know about the weather.", text(ask(model, ResponseCreateParams.builder().input("Sing."))));
    }

    @Test
    void looksTheWeatherUp(ModelRun model) {
        var asked = ask(model, ResponseCreateParams.builder().input("What is the weather in Oslo?"));
        var call = asked.output().get(0).asFunctionCall();
        assertEquals("{\"city\":\"Oslo\"}", call.arguments());
        var result = ResponseInputItem.FunctionCallOutput.builder().callId(call.callId()).output("{\"city\":\"Oslo\",\"degrees\":4}").build();
        var answer = ask(model, ResponseCreateParams.builder().previousResponseId(asked.id()).inputOfResponse(List.of(ResponseInputItem.ofFunctionCallOutput(result))));
        assertEquals("It is 4 degrees in Oslo.", text(answer));
    }
}
