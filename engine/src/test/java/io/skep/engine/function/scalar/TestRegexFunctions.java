package io.skep.engine.function.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Patterns that would run for years, and patterns that fail. Other tests compare the results of ordinary patterns with
 * Hive's classes.
 */
@Timeout(120)
final class TestRegexFunctions {
    /** The number of steps doubles with each letter. */
    private static final String ENDLESS = "^(a|a)*\\1c$";

    private static ScalarFunction function(String name, int arguments) {
        List<Argument> types = new ArrayList<>();
        for (int i = 0; i < arguments; i++) {
            boolean group = i == 2 && name.equals("regexp_extract");
            types.add(Argument.of(group ? PrimitiveType.INT : PrimitiveType.STRING));
        }
        SqlType result = name.equals("regexp") ? PrimitiveType.BOOLEAN : PrimitiveType.STRING;
        return FunctionRegistry.builtIn(Map.of()).scalar(name, types, result);
    }

    private static Vector texts(String... values) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        for (String value : values) {
            appender.append(Datum.ofText(value).toVector(PrimitiveType.STRING), 0);
        }
        return appender.build();
    }

    private static boolean isMatching(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith("java.util.regex"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"regexp", "regexp_replace", "regexp_extract", "split"})
    void anInterruptEndsAMatch(String name) {
        Vector[] arguments = name.equals("regexp_replace")
                ? new Vector[] {texts("a".repeat(60) + "b"), texts(ENDLESS), texts("")}
                : new Vector[] {texts("a".repeat(60) + "b"), texts(ENDLESS)};
        ScalarFunction function = function(name, arguments.length);
        CompletableFuture<Vector> result = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(function.evaluate(arguments, 1));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        Polling.await("it matches").until(() -> isMatching(thread) || result.isDone());
        thread.interrupt();
        assertThatThrownBy(result::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
    }

    @Test
    void whatCannotBeMatchedFailsTheFunction() {
        assertFails(function("regexp", 2), texts("a"), texts("("));
        assertFails(function("regexp_extract", 2), texts("a"), texts("a"));
        assertFails(function("regexp_extract", 3), texts("a"), texts("(a)"), new LongVector(new long[] {-1}, null, 1));
        assertFails(
                function("regexp_extract", 3),
                texts("a"),
                texts("(a)"),
                new LongVector(new long[] {0}, new long[] {1}, 1));
        assertFails(function("regexp_replace", 3), texts("a"), texts("a"), texts("$2"));
        assertFails(function("split", 2), texts("a".repeat(100_000)), texts("(a|b)*c"));
    }

    private static void assertFails(ScalarFunction function, Vector... arguments) {
        assertThatThrownBy(() -> function.evaluate(arguments, 1))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.UDF_FAILED));
    }

    @Test
    void aPatternOfAnotherKindIsHives() {
        FunctionRegistry registry = FunctionRegistry.builtIn(Map.of("hive.use.googleregex.engine", "true"));
        List<Argument> types = List.of(Argument.of(PrimitiveType.STRING), Argument.of(PrimitiveType.STRING));
        Vector found = registry.scalar("rlike", types, PrimitiveType.BOOLEAN)
                .evaluate(new Vector[] {texts("a".repeat(60) + "b"), texts("^(a|a)*c$")}, 1);
        assertThat(((LongVector) found).values()[0]).isZero();
    }
}
