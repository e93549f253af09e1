import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Lets Loopproof judge the AI Services of LangChain4j, with its models for OpenAI.
 *
 * <pre>
 *   mvn -q package && loopproof run -- java -jar target/adapter.jar
 * </pre>
 */
public final class Adapter {
  private static final ObjectMapper JSON = new ObjectMapper();

  interface Assistant {
    Result<String> chat(String message);
  }

  interface StreamingAssistant {
    TokenStream chat(String message);
  }

  public static void main(String[] args) throws Exception {
    new Loopproof("LangChain4j AiServices", "1.19.0")
        .claims("streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries@json", "turn-limit", "usage")
        .concurrency(8)
        .serve(task -> new Adapter(task).converse());
  }

  private final Loopproof.Task task;
  private long inputTokens;
  private long outputTokens;
  private String text = "";
  private FinishReason finishReason;

  private Adapter(Loopproof.Task task) {
    this.task = task;
  }

  /** Holds the conversation as the documentation shows it: https://docs.langchain4j.dev/tutorials/ai-services */
  private Loopproof.Outcome converse() throws Exception {
    Assistant assistant = task.stream() ? null : whole();
    StreamingAssistant streaming = task.stream() ? streamed() : null;
    try {
      task.eachPrompt(prompt -> {
        if (task.stream()) {
          ChatResponse response = lastOf(streaming.chat(prompt));
          keep(response.aiMessage().text(), response.finishReason(), response.tokenUsage());
        } else {
          Result<String> result = assistant.chat(prompt);
          keep(result.content(), result.finishReason(), result.tokenUsage());
        }
        return !cut();
      });
    } catch (RuntimeException error) {
      if (String.valueOf(error.getMessage()).contains("maxToolCallingRoundTrips")) { // there is no class for it
        return Loopproof.Outcome.stopped("turn limit");
      }
      throw error;
    }
    String reason = finishReason == null ? null : finishReason.name();
    Loopproof.Outcome outcome = cut()
        ? new Loopproof.Outcome("stopped", text, null, reason, reason, null)
        : Loopproof.Outcome.completed(text).because(reason);
    return outcome.used(inputTokens, outputTokens);
  }

  private Assistant whole() {
    return with(AiServices.builder(Assistant.class).chatModel(OpenAiChatModel.builder()
        .baseUrl(task.baseUrl())
        .apiKey(task.apiKey())
        .modelName(task.model())
        .build()));
  }

  private StreamingAssistant streamed() {
    return with(AiServices.builder(StreamingAssistant.class).streamingChatModel(OpenAiStreamingChatModel.builder()
        .baseUrl(task.baseUrl())
        .apiKey(task.apiKey())
        .modelName(task.model())
        .build()));
  }

  private <T> T with(AiServices<T> service) {
    if (!task.system().isEmpty()) {
      service.systemMessage(task.system());
    }
    Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
    for (Loopproof.Tool tool : task.tools()) {
      tools.put(specification(tool), (request, memoryId) -> run(tool, request));
    }
    return service
        .tools(tools)
        .chatMemory(MessageWindowChatMemory.withMaxMessages(1000)) // 10 in the examples
        .maxToolCallingRoundTrips(task.maxTurns() - 1) // it counts rounds of tools
        .build();
  }

  /** Waits for the end of a stream, and throws what its handler of errors is given. */
  private static ChatResponse lastOf(TokenStream stream) throws Exception {
    CompletableFuture<ChatResponse> last = new CompletableFuture<>();
    stream.onPartialResponse(part -> {})
        .onCompleteResponse(last::complete)
        .onError(last::completeExceptionally)
        .start();
    try {
      return last.get();
    } catch (ExecutionException error) {
      Thread.sleep(200); // it may go on after an error: what it still does belongs to this task
      if (error.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw error;
    }
  }

  private void keep(String text, FinishReason finishReason, TokenUsage usage) {
    this.text = text == null ? "" : text;
    this.finishReason = finishReason;
    if (usage != null && usage.inputTokenCount() != null) {
      inputTokens += usage.inputTokenCount();
    }
    if (usage != null && usage.outputTokenCount() != null) {
      outputTokens += usage.outputTokenCount();
    }
  }

  /** Whether the last answer is none that the user could go on from. */
  private boolean cut() {
    return finishReason == FinishReason.LENGTH || finishReason == FinishReason.CONTENT_FILTER;
  }

  private static ToolSpecification specification(Loopproof.Tool tool) {
    return ToolSpecification.fromJson(JSON.createObjectNode()
        .put("name", tool.name())
        .put("description", tool.description())
        .set("parameters", tool.parameters())
        .toString());
  }

  /**
   * Runs a tool. Its arguments are a text that an executor parses, as that of the methods with @Tool does: blank ones are
   * none, and others that cannot be read are a ToolArgumentsException. What it throws otherwise goes to the model.
   */
  private static String run(Loopproof.Tool tool, ToolExecutionRequest request) {
    try {
      return tool.run(arguments(request.arguments()), request.id());
    } catch (RuntimeException error) {
      throw error;
    } catch (Exception error) {
      throw new RuntimeException(error.getMessage(), error);
    }
  }

  private static JsonNode arguments(String text) {
    if (text == null || text.isBlank()) {
      return JSON.createObjectNode();
    }
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException error) {
      throw new ToolArgumentsException(error);
    }
  }
}
