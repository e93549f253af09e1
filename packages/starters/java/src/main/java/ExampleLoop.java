import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A small agent loop over Chat Completions, so that the adapter runs as it stands. Delete it when yours is in its place. */
final class ExampleLoop {
  /** The loop gave up by itself. */
  static final class Stopped extends Exception {
    Stopped(String why) {
      super(why);
    }
  }

  abstract static class Tool {
    final String name;
    final String description;
    final JsonNode parameters;

    Tool(String name, String description, JsonNode parameters) {
      this.name = name;
      this.description = description;
      this.parameters = parameters;
    }

    abstract String run(JsonNode arguments, String callId) throws Exception;
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  private final URI url;
  private final String apiKey;
  private final List<Tool> tools;
  private final ObjectNode request = JSON.createObjectNode();
  private final ArrayNode messages;
  private final Duration timeout;
  private int turnsLeft;

  ExampleLoop(String baseUrl, String apiKey, String model, String system, List<Tool> tools, int maxTurns, Duration timeout) {
    this.url = URI.create(baseUrl + "/chat/completions");
    this.apiKey = apiKey;
    this.tools = tools;
    this.turnsLeft = maxTurns;
    this.timeout = timeout;
    messages = request.put("model", model).putArray("messages");
    if (!system.isEmpty()) {
      messages.addObject().put("role", "system").put("content", system);
    }
    for (Tool tool : tools) {
      ObjectNode function = request.withArray("tools").addObject().put("type", "function").putObject("function");
      function.put("name", tool.name).put("description", tool.description).set("parameters", tool.parameters);
    }
  }

  String ask(String prompt) throws Exception {
    messages.addObject().put("role", "user").put("content", prompt);
    while (true) {
      JsonNode answer = turn();
      String text = answer.path("content").asText("");
      JsonNode calls = answer.path("tool_calls");
      ObjectNode echo = messages.addObject().put("role", "assistant").put("content", text.isEmpty() ? null : text);
      if (calls.isEmpty()) {
        return text;
      }
      for (JsonNode call : calls) {
        ObjectNode echoed = echo.withArray("tool_calls").addObject().put("type", "function");
        echoed.set("id", call.path("id"));
        JsonNode function = call.path("function");
        echoed.putObject("function").<ObjectNode>set("name", function.path("name")).put("arguments", echoed(function.path("arguments").asText()));
      }
      for (JsonNode call : calls) {
        ObjectNode result = messages.addObject().put("role", "tool");
        result.put("content", run(call)).set("tool_call_id", call.path("id"));
      }
    }
  }

  /** Some providers parse the arguments that go back, and refuse anything but JSON. */
  private static String echoed(String arguments) {
    try {
      JSON.readTree(arguments);
      return arguments.isEmpty() ? "{}" : arguments;
    } catch (IOException broken) {
      return "{}";
    }
  }

  /** Asks the model for its next answer. */
  private JsonNode turn() throws Exception {
    if (turnsLeft-- == 0) {
      throw new Stopped("turn limit");
    }
    HttpRequest post = HttpRequest.newBuilder(url)
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + apiKey)
        .timeout(timeout)
        .POST(HttpRequest.BodyPublishers.ofString(request.toString()))
        .build();
    HttpResponse<String> response = HTTP.send(post, HttpResponse.BodyHandlers.ofString());
    JsonNode choice = response.statusCode() == 200 ? JSON.readTree(response.body()).path("choices").path(0) : JSON.nullNode();
    if (!choice.has("message") || choice.hasNonNull("error")) {
      throw new IOException("no answer: " + response.statusCode() + " " + response.body());
    }
    String finish = choice.path("finish_reason").asText();
    if (Set.of("length", "content_filter").contains(finish)) { // cut off, and the calls may be, too: they are not run
      throw new Stopped(finish);
    }
    JsonNode message = choice.path("message");
    if (message.hasNonNull("refusal")) {
      throw new IOException("the model refused: " + message.path("refusal").asText());
    }
    if (message.path("content").asText("").isEmpty() && message.path("tool_calls").isEmpty()) {
      throw new IOException("the model said nothing");
    }
    return message;
  }

  /** Returns the result of a call, or an error that the model can read. */
  private String run(JsonNode call) {
    String name = call.path("function").path("name").asText();
    String text = call.path("function").path("arguments").asText();
    try {
      JsonNode arguments = text.isEmpty() || text.equals("null") ? JSON.createObjectNode() : JSON.readTree(text);
      if (!arguments.isObject()) {
        throw new IllegalArgumentException("the arguments have to be an object");
      }
      for (Tool tool : tools) {
        if (tool.name.equals(name)) {
          FutureTask<String> work = new FutureTask<>(() -> tool.run(arguments, call.path("id").asText()));
          new Thread(work).start();
          return work.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
      return "Error: there is no tool " + name;
    } catch (TimeoutException late) {
      return "Error: the tool took too long";
    } catch (ExecutionException failed) {
      return "Error: " + failed.getCause().getMessage();
    } catch (Exception error) {
      return "Error: " + error.getMessage();
    }
  }
}
