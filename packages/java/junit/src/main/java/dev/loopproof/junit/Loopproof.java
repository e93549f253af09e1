package dev.loopproof.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test a run of a mock model provider, as a parameter of the type {@link ModelRun}. A test that sends what a real
 * provider refuses fails. At a method it overrides what the class says.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(LoopproofExtension.class)
public @interface Loopproof {
  /** Files, folders or ids of scenarios and scripts, relative to the working directory. Only at a class. */
  String[] scenarios() default {};

  /** Further flags of {@code loopproof serve}. Only at a class. */
  String[] args() default {};

  /** The provider that is played; without it, that of the server. */
  String profile() default "";

  /** The texts of scripts; without any, those of the server are played. */
  String[] scripts() default {};

  /** Speed, faults and limits of the provider, as {@code {faults: [{status: 503, times: 2}]}}. */
  String behaviour() default "";

  /** Answer what a real provider would refuse, and only note it. */
  boolean lenient() default false;

  /** A request that a real provider refuses does not fail the test. */
  boolean mayViolate() default false;
}
