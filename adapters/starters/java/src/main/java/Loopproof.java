import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The half of an adapter that is the same for every loop on the JVM, to be copied: it says hello, reads a task a line
 * from standard input, runs each in a thread, and writes an outcome a line to standard output. From its creation on,
 * what is printed to System.out goes to standard error, since standard output is for the protocol.
 */
public final class Loopproof {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final PrintStream protocol = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final ObjectNode hello = JSON.createObjectNode();
  private int concurrency = 1;

  public Loopproof(String name, String version) {
    System.setOut(System.err);
    hello.put("type", "hello").put("protocol", 1).put("name", name).put("version", version).put("language", "java");
    hello.putArray("dialects").add("chat");
  }

  /** The features that the loop offers. */
  public Loopproof claims(String... features) {
    hello.set("features", JSON.valueToTree(features));
    return this;
  }

  /** The wire APIs that the loop speaks: chat, messages, responses, gemini. Without it, chat. */
  public Loopproof dialects(String... dialects) {
    hello.set("dialects", JSON.valueToTree(dialects));
    return this;
  }

  /** How many tasks are run at the same time. Without it, one. */
  public Loopproof concurrency(int tasks) {
    concurrency = tasks;
    return this;
  }

  /** Says hello, and runs every task until standard input ends. */
  public void serve(Loop loop) throws IOException, InterruptedException {
    hello.put("concurrency", concurrency);
    say(hello);
    ExecutorService threads = Executors.newFixedThreadPool(concurrency);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      JsonNode message = JSON.readTree(line);
      if (message.path("type").asText().equals("task")) {
        Task task = JSON.treeToValue(message, Task.class);
        threads.execute(() -> carryOut(loop, task));
      }
    }
    threads.shutdown();
    threads.awaitTermination(1, TimeUnit.MINUTES);
  }

  /** Reports exactly one outcome for a task, whatever happens. */
  private void carryOut(Loop loop, Task task) {
    Outcome outcome;
    try {
      outcome = loop.run(task);
    } catch (Throwable error) {
      error.printStackTrace();
      outcome = Outcome.failed(error.toString());
    }
    ObjectNode line = JSON.createObjectNode().put("type", "outcome").put("id", task.id());
    line.setAll((ObjectNode) JSON.valueToTree(outcome));
    say(line);
  }

  private synchronized void say(JsonNode line) {
    protocol.println(line);
  }

  /** Holds the conversation of one task. What it throws is what the loop reported to its caller. */
  @FunctionalInterface
  public interface Loop {
    Outcome run(Task task) throws Exception;
  }

  /** One conversation. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Task(
      String id,
      String dialect,
      @JsonProperty("base_url") String baseUrl,
      @JsonProperty("api_key") String apiKey,
      String model,
      String profile, // the provider that is played
      boolean stream,
      String system,
      List<String> prompts,
      List<Tool> tools,
      @JsonProperty("max_turns") int maxTurns,
      @JsonProperty("timeout_ms") int timeoutMs,
      @JsonProperty("resume_after_failure") boolean resumeAfterFailure) { // the next prompt follows also behind a failure
    public Task {
      system = system == null ? "" : system;
    }
  }

  /** A tool of a task. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Tool(String name, String description, JsonNode parameters, String url) {
    /** Runs the tool and returns its text. Throws where the tool fails. */
    public String run(JsonNode arguments, String callId) throws IOException, InterruptedException {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(arguments.toString()));
      if (!callId.isEmpty()) {
        request.header("X-Tool-Call-Id", callId);
      }
      HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(answer.body());
      }
      return answer.body();
    }
  }

  /** How a conversation ended, as the loop tells its caller. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Outcome(String status, String text, String error, String reason) {
    public static Outcome completed(String text) {
      return new Outcome("completed", text, null, null);
    }

    public static Outcome failed(String error) {
      return new Outcome("failed", null, error, null);
    }

    public static Outcome stopped(String reason) {
      return new Outcome("stopped", null, null, reason);
    }
  }
}
