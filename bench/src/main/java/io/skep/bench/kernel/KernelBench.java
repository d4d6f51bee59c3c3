package io.skep.bench.kernel;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the package's benchmarks and prints one line for each: nanoseconds per row after warm-up, and bytes allocated
 * per row. It also prints the time of the first tenths of a second, which shows how long the JIT takes.
 */
public final class KernelBench {
    private static final List<Class<?>> BENCHMARKS =
            List.of(ExpressionBenchmark.class, PlainLoopBenchmark.class, RowsBenchmark.class, ChunkBenchmark.class);

    private static final TimeValue STEP = TimeValue.milliseconds(100);
    private static final int WARM_UP = 10;
    private static final int MEASURED = 10;

    /**
     * The whole heap is touched before the run. Thus the measured cost of a kernel's arrays does not include the
     * system's cost of providing new memory.
     */
    private static final String[] HEAP = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"};

    private final Consumer<String> out;

    public KernelBench(Consumer<String> out) {
        this.out = out;
    }

    /**
     * @param only a part of the names of the benchmarks to run, such as "Chunk" or "sort"; empty for all
     * @throws IllegalStateException when JMH cannot run them
     */
    public void run(String only) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .warmupIterations(0)
                .measurementIterations(WARM_UP + MEASURED)
                .measurementTime(STEP)
                .forks(1)
                .jvmArgsAppend(HEAP)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .addProfiler("gc");
        for (Class<?> benchmark : BENCHMARKS) {
            options.include("^(?=.*" + only + ").*" + benchmark.getSimpleName());
        }
        out.accept("ns a row | of the first 0.1, 0.2, 0.3 and 0.5 s | bytes allocated a row | benchmark");
        try {
            new Runner(options.build()).run().forEach(this::print);
        } catch (RunnerException e) {
            throw new IllegalStateException(e);
        }
    }

    private void print(RunResult result) {
        List<Double> times = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .map(iteration -> iteration.getPrimaryResult().getScore())
                .toList();
        double warm =
                times.subList(WARM_UP, times.size()).stream().sorted().toList().get(MEASURED / 2);
        double allocated = Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                .getScore();
        String name = result.getParams().getBenchmark().replace(KernelBench.class.getPackageName() + ".", "");
        Collection<String> parameters = result.getParams().getParamsKeys();
        String of = parameters.isEmpty()
                ? ""
                : " of " + result.getParams().getParam(parameters.iterator().next());
        out.accept(String.format(
                Locale.ROOT,
                "%8.2f | %8.2f %8.2f %8.2f %8.2f | %6.1f | %s%s",
                warm,
                times.get(0),
                times.get(1),
                times.get(2),
                times.get(4),
                allocated,
                name.replace("Benchmark.", " "),
                of));
    }
}
