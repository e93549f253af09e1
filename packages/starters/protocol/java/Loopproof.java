import com.fasterxml.jackson.annotation.JsonIgnore;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The half of an adapter that is the same for every loop on the JVM, to be copied; it needs only Jackson. It says hello,
 * reads a task a line from standard input, runs each in a thread, and writes an outcome a line to standard output. From
 * its creation on, what is printed to System.out goes to standard error, since standard output is for the protocol.
 *
 * <p>Whatever the loop throws, an Error as well, is a failure of its task, and so is a result that is no outcome.
 *
 * <p>A cancelled task is an interrupted thread; where only a prompt is cancelled, {@link Task#eachPrompt} goes on with the
 * next one.
 */
public final class Loopproof {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final PrintStream protocol = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final ObjectNode hello = JSON.createObjectNode();
  private final Map<String, Asking> running = new ConcurrentHashMap<>();
  private int concurrency = 1;

  public Loopproof(String name) {
    System.setOut(System.err);
    hello.put("type", "hello").put("protocol", 2).put("name", name).put("language", "java");
    hello.putArray("dialects").add("chat");
  }

  public Loopproof(String name, String version) {
    this(name);
    hello.put("version", version);
  }

  /** The features that the loop offers. Without it, none. */
  public Loopproof claims(String... features) {
    hello.set("features", JSON.valueToTree(features));
    return this;
  }

  /** The wire APIs that the loop speaks: chat, messages, responses, gemini, converse. Without it, chat. */
  public Loopproof dialects(String... dialects) {
    hello.set("dialects", JSON.valueToTree(dialects));
    return this;
  }

  /** Patterns of the deliveries that the loop supports, such as {@code sse*}. Without it, all. */
  public Loopproof deliveries(String... deliveries) {
    hello.set("deliveries", JSON.valueToTree(deliveries));
    return this;
  }

  /** Patterns of the providers that the loop claims. Without it, all. */
  public Loopproof profiles(String... profiles) {
    hello.set("profiles", JSON.valueToTree(profiles));
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
        task.asking().through(this::say);
        running.put(task.id(), task.asking());
        threads.execute(() -> carryOut(loop, task));
      }
      Asking asking = running.get(message.path("id").asText());
      if (message.path("type").asText().equals("cancel") && asking != null) {
        asking.cancel(message.path("scope").asText().equals("prompt"));
      }
      if (message.path("type").asText().equals("prompt") && asking != null) {
        asking.said.add(message.path("text").asText());
      }
      if (message.path("type").asText().equals("decision") && asking != null) {
        asking.decide(message.path("approval").asText(), List.of(JSON.treeToValue(message.path("decisions"), Decision[].class)));
      }
    }
    threads.shutdown();
    threads.awaitTermination(1, TimeUnit.MINUTES);
  }

  /** Reports exactly one outcome for a task, whatever happens. */
  private void carryOut(Loop loop, Task task) {
    Outcome outcome;
    try {
      task.asking().begin();
      outcome = checked(loop.run(task));
    } catch (Throwable error) {
      outcome = task.asking().cancelled() ? Outcome.stopped("cancelled") : failure(error);
    } finally {
      task.asking().end();
      running.remove(task.id());
    }
    ObjectNode line = JSON.createObjectNode().put("type", "outcome").put("id", task.id());
    line.setAll((ObjectNode) JSON.valueToTree(outcome));
    say(line);
  }

  private static Outcome checked(Outcome outcome) {
    String expected = ", where Outcome.completed, stopped or failed is expected";
    if (outcome == null) {
      return Outcome.failed("the loop returned null" + expected);
    }
    if (outcome.status() == null || !List.of("completed", "stopped", "failed").contains(outcome.status())) {
      return Outcome.failed("the loop returned the status " + outcome.status() + expected);
    }
    return outcome;
  }

  /** What was thrown as a text, also where it cannot be printed. It is said where a mistake was made. */
  private static Outcome failure(Throwable error) {
    String text;
    try {
      error.printStackTrace();
      text = Objects.requireNonNullElse(error.toString(), error.getClass().getName());
    } catch (Throwable unprintable) {
      text = error.getClass().getName() + ", whose text cannot be had: " + unprintable.getClass().getName() + " was thrown";
    }
    boolean mistake = error instanceof Error || error instanceof NullPointerException || error instanceof ClassCastException
        || error instanceof IndexOutOfBoundsException || error instanceof ArithmeticException || error instanceof NoSuchElementException;
    StackTraceElement[] frames = error.getStackTrace();
    if ((mistake || text.equals(error.getClass().getName())) && frames.length > 0) {
      text += " (" + frames[0] + ")";
    }
    return Outcome.failed(text);
  }

  private synchronized void say(JsonNode line) {
    protocol.println(line);
  }

  /** Holds the conversation of one task. What it throws is what the loop reported to its caller. */
  @FunctionalInterface
  public interface Loop {
    Outcome run(Task task) throws Exception;
  }

  /**
   * A conversation that outlives its process, which is killed and started again with the same session and prompts. What
   * the loop stores in the directory survives.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Session(String id, String dir, boolean resumed) {}

  /** Where a model of another provider is asked, in another wire API, with the key of the task. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Api(String model, String dialect, @JsonProperty("base_url") String baseUrl, String profile) {}

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
      @JsonProperty("fallback_model") String fallbackModel, // to ask where model keeps failing; null: there is none
      @JsonProperty("prompt_models") List<String> promptModels, // of each prompt, chosen by the user; null: model is for all
      @JsonProperty("second_api") Api secondApi, // where the other model is asked that these name, in another wire API; null: as model is
      @JsonProperty("mcp_url") String mcpUrl, // an MCP server with the tools, over streamable HTTP
      @JsonProperty("mcp_tools") boolean mcpTools, // the tools are to be taken from mcpUrl, and tools is empty; only for loops that claim it
      @JsonProperty("answer_schema") JsonNode answerSchema, // JSON Schema of the answer; null: a text of any form
      @JsonProperty("token_budget") int tokenBudget, // tokens that the answer to each prompt may cost; 0: nothing is said of it
      @JsonProperty("compact_threshold") int compactThreshold, // input tokens at which the provider is asked to make the history shorter; 0: it is not asked
      @JsonProperty("context_limit") int contextLimit, // tokens of four bytes that a request may have; 0: nothing is said of it
      Session session, // where the conversation is stored, for loops that claim durable-sessions; or null
      @JsonProperty("resume_after_failure") boolean resumeAfterFailure, // the next prompt follows also behind a failure
      boolean steering, // the user says one more prompt while tools run; only for loops that claim it
      @JsonIgnore Asking asking) {
    public Task {
      system = system == null ? "" : system;
      asking = new Asking();
    }

    /** What the user has said while tools ran, once; null where that is nothing, or nothing more. It does not wait. */
    public String steered() {
      return asking.said.poll();
    }

    /**
     * Asks the user about calls of tools that need an approval, and returns a decision for each. Throws when the user
     * cancels the task or the prompt instead.
     */
    public List<Decision> toolApprovals(List<PendingCall> calls) throws InterruptedException {
      CompletableFuture<List<Decision>> answer = new CompletableFuture<>();
      ObjectNode line = JSON.createObjectNode().put("type", "approval").put("id", id);
      line.set("calls", JSON.valueToTree(calls));
      asking.ask(line, answer);
      try {
        return answer.get();
      } catch (CancellationException | ExecutionException cancelled) {
        throw new InterruptedException("cancelled");
      }
    }

    /** The same for one call. */
    public Decision toolApproval(String name, JsonNode arguments, String callId) throws InterruptedException {
      return toolApprovals(List.of(new PendingCall(callId, name, arguments))).get(0);
    }

    /**
     * Asks one prompt after the other, until one has no answer to go on from (false) or throws. The next one follows
     * nevertheless where the user cancelled only that prompt, and in a task that resumes after a failure.
     */
    public void eachPrompt(Ask ask) throws Exception {
      for (int i = 0; i < prompts.size(); i++) {
        boolean last = i == prompts.size() - 1;
        boolean more = false;
        Exception failed = null;
        asking.beginPrompt();
        try {
          more = ask.ask(prompts.get(i));
        } catch (Exception error) {
          failed = error;
        }
        boolean takenBack = asking.endPrompt();
        if (asking.cancelled() || takenBack && last) {
          throw new InterruptedException("cancelled");
        }
        if (failed != null && (last || !takenBack && !resumeAfterFailure)) {
          throw failed;
        }
        if (!more && !takenBack && !resumeAfterFailure) {
          return;
        }
      }
    }
  }

  /** Asks a prompt. It returns false where there is no answer that the user could go on from. */
  @FunctionalInterface
  public interface Ask {
    boolean ask(String prompt) throws Exception;
  }

  /** A call about which the user is asked; the id is null where the loop does not tell it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PendingCall(String id, String name, JsonNode arguments) {}

  /** What the user has decided about a call: the reason of a denial, or the arguments to run it with instead; else null. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Decision(boolean approve, String reason, JsonNode arguments) {}

  /** What a task is doing, and what the user has cancelled of it. */
  private static final class Asking {
    private Thread thread; // null before the task begins and after it has ended
    private boolean atPrompt;
    private boolean takenBack; // the prompt
    private boolean cancelled; // the task
    private Consumer<JsonNode> out;
    private final List<CompletableFuture<List<Decision>>> questions = new ArrayList<>(); // whether calls may be run
    private final Queue<String> said = new ConcurrentLinkedQueue<>(); // while tools ran

    synchronized void through(Consumer<JsonNode> out) {
      this.out = out;
    }

    synchronized void ask(ObjectNode line, CompletableFuture<List<Decision>> answer) {
      questions.add(answer);
      out.accept(line.put("approval", String.valueOf(questions.size() - 1)));
    }

    synchronized void decide(String question, List<Decision> decisions) {
      questions.get(Integer.parseInt(question)).complete(decisions);
    }

    synchronized void begin() throws InterruptedException {
      if (cancelled) {
        throw new InterruptedException("cancelled");
      }
      thread = Thread.currentThread();
    }

    synchronized void end() {
      thread = null;
      Thread.interrupted();
    }

    synchronized void beginPrompt() {
      atPrompt = true;
      takenBack = false;
    }

    /** Returns whether the user has taken the prompt back. */
    synchronized boolean endPrompt() {
      atPrompt = false;
      if (!cancelled) {
        Thread.interrupted();
      }
      return takenBack;
    }

    synchronized boolean cancelled() {
      return cancelled || takenBack && !atPrompt;
    }

    synchronized void cancel(boolean promptOnly) {
      if (promptOnly && atPrompt) {
        takenBack = true;
      } else {
        cancelled = true;
      }
      questions.forEach(answer -> answer.cancel(true));
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  /** A sub-agent. Each call begins a conversation with it, whose last answer is the result of the call. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Agent(String system, List<Tool> tools, @JsonProperty("max_turns") int maxTurns) {}

  /** A tool of a task. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Tool(
      String name,
      String description,
      JsonNode parameters,
      String url,
      @JsonProperty("needs_approval") boolean needsApproval, // of the user, before each call
      boolean programmatic, // code of the provider may call it, for loops that claim programmatic-tools
      Agent agent) { // the sub-agent that answers calls, instead of the URL, for loops that claim sub-agents; or null
    /** Runs the tool and returns its text. Throws where the tool fails. */
    public String run(JsonNode arguments, String callId) throws IOException, InterruptedException {
      return run(arguments.toString(), callId);
    }

    /** The same for a loop that hands the arguments to its tools as a text. */
    public String run(String arguments, String callId) throws IOException, InterruptedException {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(arguments));
      if (callId != null && !callId.isEmpty()) {
        request.header("X-Tool-Call-Id", callId);
      }
      try {
        HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
          throw new IOException(answer.body());
        }
        return answer.body();
      } catch (InterruptedException cancelled) {
        Thread.currentThread().interrupt(); // also for a loop that makes a result of every exception of a tool
        throw cancelled;
      }
    }
  }

  /** How a conversation ended, as the loop tells its caller. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Outcome(
      String status,
      String text,
      String error,
      String reason,
      @JsonProperty("finish_reason") String finishReason,
      Usage usage) {
    public static Outcome completed(String text) {
      return new Outcome("completed", text, null, null, null, null);
    }

    public static Outcome failed(String error) {
      return new Outcome("failed", null, error, null, null, null);
    }

    public static Outcome stopped(String reason) {
      return new Outcome("stopped", null, null, reason, null, null);
    }

    /** The same with the finish reason of the last answer, as the loop tells it; null where it tells none. */
    public Outcome because(String finishReason) {
      return new Outcome(status, text, error, reason, finishReason, usage);
    }

    /** The same with the sum of the tokens of the task. */
    public Outcome used(long inputTokens, long outputTokens) {
      return new Outcome(status, text, error, reason, finishReason, new Usage(inputTokens, outputTokens));
    }
  }

  /** The tokens of a task. */
  public record Usage(
      @JsonProperty("input_tokens") long inputTokens, @JsonProperty("output_tokens") long outputTokens) {}
}
