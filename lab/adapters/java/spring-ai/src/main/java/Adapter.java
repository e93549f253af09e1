import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Lets Loopproof judge the ChatClient of Spring AI, with its model for OpenAI, without Spring Boot.
 *
 * <pre>
 *   mvn -q package && loopproof run -- java -jar target/adapter.jar
 * </pre>
 */
public final class Adapter {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    new Loopproof("Spring AI ChatClient", "2.0.1")
        .claims("streaming", "parallel-calls", "multi-prompt", "resume-after-failure", "retries", "usage")
        .concurrency(8)
        .serve(task -> new Adapter(task).converse());
  }

  private final Loopproof.Task task;
  private long inputTokens;
  private long outputTokens;
  private String text = "";
  private String finishReason = "";

  private Adapter(Loopproof.Task task) {
    this.task = task;
  }

  /** Holds the conversation as the documentation shows it: https://docs.spring.io/spring-ai/reference/api/chatclient.html */
  private Loopproof.Outcome converse() throws Exception {
    ChatClient client = client();
    task.eachPrompt(prompt -> {
      ChatClient.ChatClientRequestSpec request = client.prompt()
          .user(prompt) // a template only where it has parameters
          .advisors(spec -> spec.param(ChatMemory.CONVERSATION_ID, task.id()));
      keep(task.stream() ? streamed(request) : request.call().chatResponse());
      return !cut();
    });
    Loopproof.Outcome outcome = cut()
        ? new Loopproof.Outcome("stopped", text, null, finishReason, finishReason, null)
        : Loopproof.Outcome.completed(text).because(finishReason.isEmpty() ? null : finishReason);
    return outcome.used(inputTokens, outputTokens);
  }

  private ChatClient client() {
    OpenAiChatModel model = OpenAiChatModel.builder()
        .options(OpenAiChatOptions.builder()
            .baseUrl(task.baseUrl())
            .apiKey(task.apiKey())
            .model(task.model())
            .streamUsage(true) // false
            .build())
        .build();
    ChatMemory memory = MessageWindowChatMemory.builder().maxMessages(1000).build(); // 20
    ChatClient.Builder builder = ChatClient.builder(model)
        .defaultAdvisors(
            MessageChatMemoryAdvisor.builder(memory).build(),
            ToolCallingAdvisor.builder().toolCallingManager(unlimited()).build())
        .defaultTools(task.tools().stream().map(Adapter::asTool).toArray());
    if (!task.system().isEmpty()) {
      builder.defaultSystem(task.system());
    }
    return builder.build();
  }

  /** Takes the limits of calls away: by default a tool is run at most 40 times for a prompt. */
  private static ToolCallingManager unlimited() {
    return DefaultToolCallingManager.builder().unlimitedCallsPerTool().unlimitedTotalToolCalls().build();
  }

  /** Joins the parts of a stream as Spring AI's own aggregator does. */
  private static ChatResponse streamed(ChatClient.ChatClientRequestSpec request) {
    AtomicReference<ChatResponse> whole = new AtomicReference<>();
    new MessageAggregator().aggregate(request.stream().chatResponse(), whole::set).blockLast();
    return whole.get();
  }

  private void keep(ChatResponse response) {
    text = "";
    finishReason = "";
    if (response == null) {
      return;
    }
    if (response.getResult() != null) {
      String said = response.getResult().getOutput().getText();
      String reason = response.getResult().getMetadata().getFinishReason();
      text = said == null ? "" : said;
      finishReason = reason == null ? "" : reason;
    }
    Usage usage = response.getMetadata().getUsage();
    if (usage != null) {
      inputTokens += usage.getPromptTokens() == null ? 0 : usage.getPromptTokens();
      outputTokens += usage.getCompletionTokens() == null ? 0 : usage.getCompletionTokens();
    }
  }

  /** Whether the last answer is none that the user could go on from. */
  private boolean cut() {
    return List.of("length", "content_filter").contains(finishReason.toLowerCase());
  }

  /** Offers a tool with a schema of its own. It is not told the id of the call; the message of its error goes to the model. */
  private static ToolCallback asTool(Loopproof.Tool tool) {
    return FunctionToolCallback.builder(tool.name(), (Map<String, Object> arguments) -> run(tool, arguments))
        .description(tool.description())
        .inputSchema(tool.parameters().toString())
        .inputType(new ParameterizedTypeReference<Map<String, Object>>() {})
        .build();
  }

  private static String run(Loopproof.Tool tool, Map<String, Object> arguments) {
    try {
      return tool.run(JSON.valueToTree(arguments), "");
    } catch (Exception error) {
      throw new RuntimeException(error.getMessage(), error);
    }
  }
}
