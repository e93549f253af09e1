package dev.loopproof.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs the tests of applications that are wrong, and looks at what they say. */
class LoopproofTest {
  static final String HELLO = "{\"role\": \"user\", \"content\": \"Hello?\"}";
  static final String ORPHAN = "{\"role\": \"tool\", \"tool_call_id\": \"none\", \"content\": \"4 C\"}";
  static final String SCRIPT = "{loopproof: 1, title: Greeting, model: [{text: Good day.}]}";

  static int ask(ModelRun run, String... messages) throws IOException, InterruptedException {
    String body = "{\"model\": \"gpt-5\", \"messages\": [" + String.join(", ", messages) + "]}";
    HttpRequest request = HttpRequest.newBuilder(URI.create(run.baseUrl() + "/chat/completions"))
        .header("Authorization", "Bearer " + run.apiKey()).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  @Tag("wrong")
  @Loopproof(scripts = SCRIPT)
  static class Application {
    @Test
    void right(ModelRun run) throws Exception {
      assertEquals(200, ask(run, HELLO));
      run.assertRequest(Map.of("user", "Hello", "answer", "Good", "count", 1));
      run.assertInOrder(List.of(Map.of("user", "Hello")));
      assertEquals("gpt-5", run.requests(Map.of("user", "Hello")).get(0).get("model"));
      assertEquals(run.baseUrl(), run.environment().get("OPENAI_BASE_URL"));
    }

    @Test
    void orphan(ModelRun run) throws Exception {
      assertEquals(400, ask(run, HELLO, ORPHAN));
    }

    @Test
    void count(ModelRun run) throws Exception {
      ask(run, HELLO);
      run.assertRequest(Map.of("user", "Hello", "count", 2));
    }

    @Test
    void misspelt(ModelRun run) {
      run.assertRequest(Map.of("usr", "Hello"));
    }

    @Test
    @Loopproof(mayViolate = true)
    void mayViolate(ModelRun run) throws Exception {
      assertEquals(400, ask(run, ORPHAN));
    }

    @Test
    @Loopproof(lenient = true)
    void lenient(ModelRun run) throws Exception {
      assertEquals(200, ask(run, HELLO, ORPHAN));
    }

    @Test
    @Loopproof(behaviour = "{faults: [{status: 503}]}")
    void faults(ModelRun run) throws Exception {
      assertEquals(503, ask(run, HELLO));
    }
  }

  @Tag("wrong")
  @Loopproof(scenarios = "pairing/singl-call")
  static class NoServer {
    @Test
    void never(ModelRun run) {}
  }

  static Map<String, String> failures(Class<?> tests) {
    Events events = EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).execute().testEvents();
    return events.failed().stream().collect(Collectors.toMap(
        event -> event.getTestDescriptor().getDisplayName().replace("(ModelRun)", ""),
        event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow().getMessage()));
  }

  @Test
  void failuresSayWhatIsWrong() {
    Map<String, String> failures = failures(Application.class);
    assertEquals(List.of("count", "misspelt", "orphan"), failures.keySet().stream().sorted().toList());
    for (String expected : List.of(
        "a real provider refuses what was sent: pairing/no-orphan-result\n", "request 1  /messages/1", "provider  OpenAI (openai) answers 400",
        "source  https:")) {
      assertTrue(failures.get("orphan").contains(expected), failures.get("orphan"));
    }
    assertTrue(failures.get("count").startsWith("expected 2 requests with"), failures.get("count"));
    assertTrue(failures.get("misspelt").contains("did you mean \"user\"?"), failures.get("misspelt"));
  }

  @Test
  void serverThatDoesNotStartSaysWhy() {
    String why = failures(NoServer.class).get("never");
    assertTrue(why.contains("did not start") && why.contains("did you mean \"pairing/single-call\""), why);
  }
}
