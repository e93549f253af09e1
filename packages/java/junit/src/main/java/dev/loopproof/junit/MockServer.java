package dev.loopproof.junit;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.loopproof.junit.LoopproofExtension.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** A mock provider in a process of its own. It ends with the tests, and also when their JVM is killed. */
final class MockServer implements CloseableResource {
  static final Gson JSON = new Gson();
  private static final Pattern TOLD_AT_THE_END =
      Pattern.compile("loopproof: (request \\d+ breaks|\\d+ requests?;|there was no).*");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final String control;

  MockServer(List<String> scenarios, List<String> args) {
    List<String> command = new ArrayList<>(List.of(Binary.find(), "serve", "--addr", "127.0.0.1:0", "--exit-with-stdin"));
    scenarios.forEach(scenario -> command.addAll(List.of("--scenario", scenario)));
    command.addAll(args);
    try {
      log = Files.createTempFile("loopproof", ".log");
      log.toFile().deleteOnExit();
      process = new ProcessBuilder(command).redirectError(log.toFile()).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String ready = out.readLine();
      if (ready == null) {
        throw new IllegalStateException("the mock provider did not start: " + String.join(" ", command) + "\n" + Files.readString(log));
      }
      control = JSON.fromJson(ready, JsonObject.class).get("base_url").getAsString() + "/loopproof";
    } catch (IOException e) {
      throw new UncheckedIOException("the mock provider cannot be started: " + command.get(0), e);
    }
  }

  ModelRun newRun(String test, Options options) {
    JsonObject wanted = new JsonObject();
    String name = test.replaceAll("[^A-Za-z0-9._-]+", "-");
    wanted.addProperty("id", name.substring(0, Math.min(50, name.length())) + "-" + UUID.randomUUID().toString().substring(0, 6));
    wanted.addProperty("lenient", options.lenient());
    if (!options.profile().isEmpty()) wanted.addProperty("profile", options.profile());
    if (!options.scripts().isEmpty()) wanted.add("scripts", JSON.toJsonTree(options.scripts()));
    if (!options.behaviour().isEmpty()) wanted.add("behaviour", object(options.behaviour()));
    return new ModelRun(this, call("POST", "/runs", wanted));
  }

  private static JsonObject object(String behaviour) {
    try {
      return JsonParser.parseString(behaviour).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IllegalArgumentException("behaviour is no JSON object such as {faults: [{status: 503}]}: " + behaviour, e);
    }
  }

  /** Asks the control API. An assertion that does not hold is an answer, too. */
  JsonObject call(String method, String path, Object body) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(control + path))
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.toJson(body))).build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      JsonObject told = JSON.fromJson(response.body(), JsonObject.class);
      if (told.has("error")) throw new IllegalArgumentException(told.getAsJsonObject("error").get("message").getAsString());
      return told;
    } catch (IOException e) {
      throw new UncheckedIOException("the mock provider does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the mock provider was asked", e);
    }
  }

  /** Ends the server, and tells what the tests found. */
  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    Files.readAllLines(log).stream().filter(TOLD_AT_THE_END.asMatchPredicate()).forEach(System.err::println);
    Files.delete(log);
  }
}
