import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets Loopproof judge your agent loop.
 *
 * <pre>
 *   mvn -q package
 *   loopproof run --quick -- java -cp 'target/classes:target/lib/*' Adapter    the first verdict
 *   loopproof run -- java -cp 'target/classes:target/lib/*' Adapter            everything
 * </pre>
 *
 * It runs as it stands, with the small loop of ExampleLoop.java. Put your loop in its place: change what is marked YOURS.
 */
public final class Adapter {
  public static void main(String[] args) throws Exception {
    new Loopproof("my loop", "0.0.0") // YOURS: what the report calls it
        // What you claim is judged in full; what you do not claim is listed, and never passed. Begin with little, then
        // add: resume-after-failure (task.resumeAfterFailure(): ask the next prompt also after one without an answer),
        // streaming, reasoning, retries, usage, cancel, images, transcript, events. docs/adapters.md explains each.
        .claims("parallel-calls", "multi-prompt", "turn-limit")
        // .dialects("chat")  the wire APIs that the loop speaks: chat, messages, responses, gemini, converse; without it, chat
        .concurrency(4) // tasks at the same time; 1 if your loop has global state
        .serve(Adapter::run);
  }

  /**
   * Holds one conversation. Create a new client for each task: the base URL is different each time. What this method
   * throws is reported as a failure, with its message.
   */
  static Loopproof.Outcome run(Loopproof.Task task) throws Exception {
    List<ExampleLoop.Tool> tools = new ArrayList<>();
    for (Loopproof.Tool tool : task.tools()) {
      tools.add(asTool(tool));
    }
    ExampleLoop loop = new ExampleLoop( // YOURS: create your loop, as its documentation shows it
        task.baseUrl(), // what the official SDK takes as its base URL
        task.apiKey(),
        task.model(),
        task.system(), // "" when there is none
        tools,
        task.maxTurns(), // after how many answers of the model the loop stops by itself
        Duration.ofMillis(task.timeoutMs())); // for how long it waits for the model or a tool
    String answer = "";
    for (String prompt : task.prompts()) { // several only if you claim multi-prompt: turns of the same conversation
      try {
        answer = loop.ask(prompt); // YOURS
      } catch (ExampleLoop.Stopped why) { // the loop gave up by itself: turn limit, truncated answer, content filter
        return Loopproof.Outcome.stopped(why.getMessage());
      }
    }
    return Loopproof.Outcome.completed(answer);
  }

  /**
   * Offers a tool of the task to the loop. The work is done at the tool's URL: run returns its text, and throws where the
   * tool fails, as a tool of your users would.
   */
  static ExampleLoop.Tool asTool(Loopproof.Tool tool) { // YOURS: how your loop takes a tool
    return new ExampleLoop.Tool(tool.name(), tool.description(), tool.parameters()) { // parameters: JSON Schema
      @Override
      String run(JsonNode arguments, String callId) throws Exception {
        return tool.run(arguments, callId); // the call id only where your loop tells it, else ""
      }
    };
  }
}
