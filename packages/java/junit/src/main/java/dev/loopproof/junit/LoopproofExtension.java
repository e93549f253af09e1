package dev.loopproof.junit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Begins a run before each test and judges it after the test. All tests of a session share a server. */
final class LoopproofExtension
    implements BeforeEachCallback, AfterTestExecutionCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(LoopproofExtension.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    Options options = Options.of(context);
    List<String> key = Stream.concat(options.scenarios().stream(), options.args().stream()).toList();
    MockServer server = context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(
        key, ignored -> new MockServer(options.scenarios(), options.args()), MockServer.class);
    context.getStore(NAMESPACE).put(ModelRun.class, server.newRun(context.getDisplayName(), options));
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    ModelRun.Verdict verdict = run(context).verdict();
    if (!verdict.passed() && !Options.of(context).mayViolate()) {
      AssertionError violation = new AssertionError(verdict.failure());
      violation.setStackTrace(new StackTraceElement[0]); // the place in this class says nothing
      throw violation;
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    run(context).end();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ModelRun.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return run(context);
  }

  private static ModelRun run(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(ModelRun.class, ModelRun.class);
  }

  /** What the annotations of a test say together. */
  record Options(
      List<String> scenarios, List<String> args, String profile, List<String> scripts, String behaviour, boolean lenient,
      boolean mayViolate) {
    static Options of(ExtensionContext context) {
      List<Loopproof> nearestFirst = Stream.of(
              AnnotationSupport.findAnnotation(context.getElement(), Loopproof.class),
              AnnotationSupport.findAnnotation(context.getTestClass(), Loopproof.class),
              enclosing(context))
          .flatMap(Optional::stream).toList();
      return new Options(
          firstList(nearestFirst.stream().map(Loopproof::scenarios)), firstList(nearestFirst.stream().map(Loopproof::args)),
          firstText(nearestFirst.stream().map(Loopproof::profile)), firstList(nearestFirst.stream().map(Loopproof::scripts)),
          firstText(nearestFirst.stream().map(Loopproof::behaviour)), nearestFirst.stream().anyMatch(Loopproof::lenient),
          nearestFirst.stream().anyMatch(Loopproof::mayViolate));
    }

    private static Optional<Loopproof> enclosing(ExtensionContext context) {
      return context.getTestClass().map(Class::getEnclosingClass)
          .flatMap(outer -> AnnotationSupport.findAnnotation(outer, Loopproof.class));
    }

    private static List<String> firstList(Stream<String[]> values) {
      return values.filter(value -> value.length > 0).findFirst().map(Arrays::asList).orElse(List.of());
    }

    private static String firstText(Stream<String> values) {
      return values.filter(value -> !value.isEmpty()).findFirst().orElse("");
    }
  }
}
