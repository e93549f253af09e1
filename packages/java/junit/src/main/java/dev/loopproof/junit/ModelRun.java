package dev.loopproof.junit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.reflect.TypeToken;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What one test asks of the model. It sees nothing of other tests. */
public final class ModelRun {
  private static final TypeToken<Map<String, String>> TEXTS = new TypeToken<>() {};
  private static final TypeToken<List<Map<String, Object>>> OBJECTS = new TypeToken<>() {};

  private final MockServer server;
  private final String id;
  private final String baseUrl;
  private final String apiKey;
  private final Map<String, String> environment;

  ModelRun(MockServer server, JsonObject made) {
    this.server = server;
    id = made.get("id").getAsString();
    baseUrl = made.get("base_url").getAsString();
    apiKey = made.get("api_key").getAsString();
    environment = MockServer.JSON.fromJson(made.get("environment"), TEXTS);
  }

  /** What the official SDK takes as its base URL. */
  public String baseUrl() {
    return baseUrl;
  }

  public String apiKey() {
    return apiKey;
  }

  /** What SDKs read from the environment: OPENAI_BASE_URL, OPENAI_API_KEY and the like. */
  public Map<String, String> environment() {
    return environment;
  }

  /**
   * Returns the requests that fit all filters: {@code user}, {@code tool}, {@code result}, {@code answer}, {@code called},
   * {@code contains}, {@code status}, {@code rule} and so on.
   *
   * @see <a href="https://github.com/loopproof/loopproof/blob/main/docs/journal.md#over-http">all filters</a>
   */
  public List<Map<String, Object>> requests(Map<String, ?> filters) {
    JsonObject found = server.call("GET", "/requests?" + query(filters) + "&limit=0", null);
    return MockServer.JSON.fromJson(found.get("requests"), OBJECTS);
  }

  /**
   * Fails unless there is a request that fits all filters, or as many as {@code count}, {@code at_least} or {@code at_most}
   * say. With {@code within}, such as {@code 5s}, waits for it.
   */
  public void assertRequest(Map<String, ?> expectation) {
    expect(server.call("GET", "/assert?" + query(expectation), null));
  }

  /** Fails unless there is a request for each of the filters, every one later than the one before. */
  public void assertInOrder(List<Map<String, ?>> filters) {
    expect(server.call("POST", "/assert", Map.of("run", id, "in_order", filters)));
  }

  private static void expect(JsonObject outcome) {
    if (!outcome.get("holds").getAsBoolean()) throw new AssertionError(outcome.get("message").getAsString());
  }

  /** Returns what is wrong with the requests so far. */
  public Verdict verdict() {
    JsonObject told = server.call("GET", "/runs/" + id + "/verdict", null);
    Map<String, String> broken = new LinkedHashMap<>();
    for (JsonElement rule : told.getAsJsonArray("broken")) {
      broken.put(rule.getAsJsonObject().get("rule").getAsString(), rule.getAsJsonObject().get("level").getAsString());
    }
    return new Verdict(told.get("passed").getAsBoolean(), told.get("failure").getAsString(), told.get("message").getAsString().stripTrailing(), broken);
  }

  void end() {
    server.call("DELETE", "/runs/" + id, null);
  }

  private String query(Map<String, ?> parameters) {
    Map<String, Object> all = new HashMap<>(parameters);
    all.put("run", id);
    return all.entrySet().stream().map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue().toString(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  /**
   * What is wrong with the requests of a run.
   *
   * @param reason why the test fails, in a line; empty when it passed
   * @param message each broken rule and each request without an answer; empty when nothing was found
   * @param broken the level of each broken rule
   */
  public record Verdict(boolean passed, String reason, String message, Map<String, String> broken) {
    String failure() {
      return reason + "\n\n" + message;
    }
  }
}
