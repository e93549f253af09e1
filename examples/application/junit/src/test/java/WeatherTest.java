import static org.junit.jupiter.api.Assertions.assertEquals;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.*;
import dev.loopproof.junit.Loopproof;
import dev.loopproof.junit.ModelRun;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Loopproof(scenarios = "../scripts")
class WeatherTest {
    ChatCompletionMessage ask(ModelRun model, ChatCompletionCreateParams.Builder request) {
        OpenAIClient client = OpenAIOkHttpClient.builder().baseUrl(model.baseUrl()).apiKey(model.apiKey()).build();
        return client.chat().completions().create(request.model("gpt-5").build()).choices().get(0).message();
    }

    @Test
    void saysWhatItKnows(ModelRun model) {
        var answer = ask(model, ChatCompletionCreateParams.builder().addUserMessage("Sing."));
        assertEquals("I only know about the weather.", answer.content().get());
    }

    @Test
    void looksTheWeatherUp(ModelRun model) {
        var city = Map.of("city", Map.of("type", "string"));
        var parameters = FunctionParameters.builder().putAdditionalProperty("type", JsonValue.from("object")).putAdditionalProperty("properties", JsonValue.from(city));
        var tool = FunctionDefinition.builder().name("get_weather").parameters(parameters.build()).build();
        var request = ChatCompletionCreateParams.builder().addFunctionTool(tool).addUserMessage("What is the weather in Oslo?");
        var asked = ask(model, request);
        var call = asked.toolCalls().get().get(0).asFunction();
        assertEquals("{\"city\":\"Oslo\"}", call.function().arguments());
        var result = ChatCompletionToolMessageParam.builder().toolCallId(call.id()).content("{\"city\":\"Oslo\",\"degrees\":4}").build();
        assertEquals("It is 4 degrees in Oslo.", ask(model, request.addMessage(asked).addMessage(result)).content().get());
        model.assertRequest(Map.of("tool", "get_weather", "result", "Oslo", "count", 1));
    }

    @Test
    @Loopproof(behaviour = "{faults: [{status: 503, times: 2}]}")
    void livesThroughAnOverload(ModelRun model) {
        var answer = ask(model, ChatCompletionCreateParams.builder().addUserMessage("Sing."));
        assertEquals("I only know about the weather.", answer.content().get());
    }
}
