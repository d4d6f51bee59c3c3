package io.skep.ql.execution;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings for the number of statements that compile at a time, and for their time limit.
 *
 * @param maxThreads the limit of threads, which is reached only when long-running statements occupy the others
 * @param maxWaiting the number of statements that may wait for a thread; the next one is refused
 * @param timeLimit cancels the compilation of a statement that takes longer; empty for no limit
 */
public record CompileConfig(int maxThreads, int maxWaiting, Optional<Duration> timeLimit) {
    private static final int THREADS_PER_CORE = 8;
    private static final int LEAST_MAX_THREADS = 32;

    static final Property<Integer> MAX_THREADS = new Property<>(
            "hive.driver.parallel.compilation.global.limit",
            PropertyType.integer(-1, 100_000),
            "-1",
            "Maximum number of statements that compile at a time; 0 or less: eight for each core, and at least "
                    + "32. One for each core compiles first; more start when all of these have run long.");
    static final Property<Integer> MAX_WAITING = new Property<>(
            "skep.compile.max-waiting",
            PropertyType.integer(1, 10_000_000),
            "10000",
            "Maximum number of statements that wait for compilation; further ones are refused.");
    static final Property<Duration> TIME_LIMIT = new Property<>(
            "skep.compile.time-limit",
            PropertyType.time(Duration.ofSeconds(1)),
            "60s",
            "Maximum time that a statement may compile; 0: no limit.");

    /** All settings, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(MAX_THREADS, MAX_WAITING, TIME_LIMIT);

    public CompileConfig {
        if (maxThreads < 1 || maxWaiting < 1) {
            throw new IllegalArgumentException(maxThreads + " threads, " + maxWaiting + " waiting statements");
        }
    }

    public static CompileConfig of(SettingsReader reader) {
        int threads = reader.read(MAX_THREADS);
        Duration limit = reader.read(TIME_LIMIT);
        int cores = Runtime.getRuntime().availableProcessors();
        return new CompileConfig(
                threads > 0 ? threads : Math.max(LEAST_MAX_THREADS, THREADS_PER_CORE * cores),
                reader.read(MAX_WAITING),
                limit.isZero() ? Optional.empty() : Optional.of(limit));
    }
}
