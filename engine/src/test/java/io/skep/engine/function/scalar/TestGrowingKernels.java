package io.skep.engine.function.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kernels that use much memory or time for their arguments. Other tests compare their results with Hive's classes. */
@Timeout(120)
class TestGrowingKernels {
    private static final SqlType STRING = PrimitiveType.STRING;
    private static final long MB = 1 << 20;

    private final FunctionRegistry registry = FunctionRegistry.builtIn(Map.of());

    private ScalarFunction function(String name, SqlType result) {
        return registry.scalar(name, List.of(Argument.of(STRING), Argument.of(STRING)), result);
    }

    private static Vector text(String text) {
        return Datum.ofText(text).toVector(STRING);
    }

    @Test
    void aDistanceOfLongTextsEndsWhenItIsCancelled() throws Exception {
        ScalarFunction levenshtein = function("levenshtein", PrimitiveType.INT);
        Vector[] arguments = {text("ab".repeat(500_000)), text("ba".repeat(500_000))};
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                levenshtein.evaluate(arguments, 1);
                end.complete(new AssertionError("not cancelled"));
            } catch (SkepException e) {
                end.complete(e);
            }
        });
        thread.join(300);
        thread.interrupt();
        assertThat(end.get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
    }

    @Test
    void distancesCountInsertedDeletedAndReplacedLetters() {
        ScalarFunction levenshtein = function("levenshtein", PrimitiveType.INT);
        Vector distance = levenshtein.evaluate(new Vector[] {text("kitten"), text("sitting")}, 1);
        assertThat(((LongVector) distance).values()[0]).isEqualTo(3);
    }

    @Test
    void theManyPartsOfATextAreCountedWhileTheyAreMade() {
        ScalarFunction split = function("split", new ArrayType(STRING));
        MemoryPool pool = MemoryPool.root("test", 24 * MB);
        try (ScratchMemory scratch = new ScratchMemory(pool, MB)) {
            assertThat(scratch.within(() -> split.evaluate(new Vector[] {text(",".repeat(1000)), text(",")}, 1))
                            .length())
                    .isEqualTo(1);
            assertThatThrownBy(() -> scratch.within(() ->
                            split.evaluate(new Vector[] {text(",".repeat(3_000_000)), text(",")}, 1)))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        }
        assertThat(pool.reservedBytes()).isZero();
    }
}
