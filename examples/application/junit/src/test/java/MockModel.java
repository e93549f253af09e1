import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.extension.*;

/** A model for each test, which sees nothing of other tests and fails the test that sends what a provider refuses. */
class MockModel implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    static final ObjectMapper JSON = new ObjectMapper();
    private Process server;
    private String runs;
    JsonNode run;

    public void beforeAll(ExtensionContext context) throws Exception {
        String command = System.getenv().getOrDefault("LOOPPROOF", "loopproof");
        server = new ProcessBuilder(command, "serve", "--addr", "127.0.0.1:0", "--scenario", "../scripts").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        runs = JSON.readTree(server.inputReader().readLine()).get("base_url").asText() + "/loopproof/runs";
    }
    public void beforeEach(ExtensionContext context) throws Exception { run = send("POST", runs, "{}"); }
    public void afterEach(ExtensionContext context) throws Exception {
        JsonNode sum = send("GET", runs + "/" + run.get("id").asText(), "").get("sum");
        send("DELETE", runs + "/" + run.get("id").asText(), "");
        if (sum.get("musts").asInt() > 0) throw new AssertionError(sum);
    }
    public void afterAll(ExtensionContext context) { server.destroy(); }

    JsonNode ask(String body) throws Exception { return send("POST", run.get("base_url").asText() + "/chat/completions", body); }

    JsonNode send(String method, String url, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.ofString(body)).build();
        return JSON.readTree(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}
