import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A loop that fails in the way that its prompt names. */
public final class Adapter {
  static final class Unprintable extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }
  }

  static final class WithoutText extends RuntimeException {
    @Override
    public String toString() {
      return null;
    }
  }

  @SuppressWarnings("unchecked")
  static <T extends Throwable> Loopproof.Outcome raise(Throwable error) throws T {
    throw (T) error;
  }

  static int deep(int n) {
    return deep(n + 1) + 1;
  }

  static Loopproof.Outcome approval(Loopproof.Task task) throws Exception {
    List<Loopproof.Decision> decisions = task.toolApprovals(List.of(
        new Loopproof.PendingCall("call-1", "delete_file", JsonNodeFactory.instance.objectNode().put("path", "a")),
        new Loopproof.PendingCall(null, "delete_file", TextNode.valueOf("{\"path\":\"c\"}"))));
    return Loopproof.Outcome.completed(decisions.stream()
        .map(d -> d.approve() ? "runs " + d.arguments().path("path").asText() : Objects.requireNonNullElse(d.reason(), ""))
        .collect(Collectors.joining("; ")));
  }

  static Loopproof.Outcome steering(Loopproof.Task task) throws InterruptedException {
    for (String said; ; Thread.sleep(1)) {
      if ((said = task.steered()) != null) {
        return Loopproof.Outcome.completed(said);
      }
    }
  }

  static Loopproof.Outcome run(Loopproof.Task task) throws Exception {
    return switch (task.prompts().get(0)) {
      case "approval" -> approval(task);
      case "steering" -> steering(task);
      case "exception" -> throw new Exception("429 try again");
      case "without a message" -> throw new IllegalStateException();
      case "null pointer" -> Loopproof.Outcome.completed(((JsonNode) null).asText());
      case "index" -> Loopproof.Outcome.completed(List.<String>of().get(0));
      case "no element" -> Loopproof.Outcome.completed(Map.<String, String>of().keySet().iterator().next());
      case "class cast" -> Loopproof.Outcome.completed((String) (Object) 7);
      case "throwable" -> raise(new Throwable("odd"));
      case "error" -> raise(new AssertionError("odd"));
      case "thread death" -> raise(new ThreadDeath());
      case "stack overflow" -> Loopproof.Outcome.completed("" + deep(0));
      case "out of memory" -> raise(new OutOfMemoryError("odd"));
      case "unprintable" -> throw new Unprintable();
      case "without a text" -> throw new WithoutText();
      case "interrupted by itself" -> raise(new InterruptedException());
      case "nothing" -> null;
      case "no status" -> new Loopproof.Outcome(null, "x", null, null, null, null);
      case "odd status" -> new Loopproof.Outcome("done", "x", null, null, null, null);
      default -> Loopproof.Outcome.completed("fine");
    };
  }

  public static void main(String[] args) throws Exception {
    new Loopproof("failing").serve(Adapter::run);
  }
}
