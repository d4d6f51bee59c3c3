package io.skep.bench;

import com.sun.management.OperatingSystemMXBean;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Measures sessions that compile concurrently: statements per second, the cost of one, and the locks that they wait
 * for.
 */
final class CompileBench {
    private static final Map<String, LongFunction<String>> WORKLOADS = workloads();

    private final Progress progress;
    private final int seconds;
    private final AtomicLong numbers = new AtomicLong();

    CompileBench(Progress progress, int seconds) {
        this.progress = progress;
        this.seconds = seconds;
    }

    private static Map<String, LongFunction<String>> workloads() {
        Map<String, LongFunction<String>> workloads = new java.util.LinkedHashMap<>();
        workloads.put(
                "report, other literals",
                n -> "select account, day, sum(imps) from report where day >= " + (1 + n % 300) + " and day < "
                        + (8 + n % 300) + " and account = " + n % 5000 + " group by account, day");
        workloads.put(
                "report with texts, other literals",
                n -> "select account, sum(imps) from report where day = " + (1 + n % 365)
                        + " and country in ('DE', 'c" + n % 200 + "') and account <> " + n % 5000
                        + " group by account order by 2 desc limit 10");
        workloads.put(
                "join by date, other literals",
                n -> "select o_orderpriority, count(*) from orders join lineitem on l_orderkey = o_orderkey where"
                        + " o_orderdate >= date '199" + n % 8 + "-01-01' and l_shipdate < '199" + n % 8
                        + "-04-01' group by o_orderpriority");
        workloads.put(
                "report by a text",
                n -> "select account, sum(imps) from report where day = " + (1 + n % 365) + " and country = 'c" + n
                        + "' group by account");
        workloads.put(
                "orders of some days, quoted",
                n -> "select o_orderpriority, count(*) from orders where o_orderdate >= '199" + n % 8 + "-01-0"
                        + (1 + n % 9) + "' and o_orderdate < '199" + n % 8 + "-04-01' group by o_orderpriority");
        workloads.put(
                "report by a list of 1 to 16 texts",
                n -> "select account, sum(imps) from report where day = " + (1 + n % 365) + " and country in ("
                        + LongStream.rangeClosed(0, n % 16)
                                .mapToObj(i -> "'c" + (n + i) + "'")
                                .collect(Collectors.joining(", "))
                        + ") group by account");
        workloads.put(
                "report, the first so many",
                n -> "select account, imps from report where day = " + (1 + n % 365) + " and imps > 1.5 order by imps"
                        + " limit " + (1 + n % 1000));
        workloads.put(
                "report, other shapes",
                n -> "select account as a" + n + ", sum(imps) from report where day = 7 and account = 5"
                        + " group by account");
        workloads.put(
                "three tables, other shapes",
                n -> "select l_orderkey as k" + n + ", sum(l_extendedprice * (1 - l_discount)) as revenue, o_orderdate,"
                        + " o_shippriority from customer, orders, lineitem where c_mktsegment = 'BUILDING'"
                        + " and c_custkey = o_custkey and l_orderkey = o_orderkey and o_orderdate < date '1995-03-15'"
                        + " and l_shipdate > date '1995-03-15' group by l_orderkey, o_orderdate, o_shippriority"
                        + " order by revenue desc, o_orderdate limit 10");
        return workloads;
    }

    void run(List<Integer> threads) throws Exception {
        try (CompileEngine engine = new CompileEngine()) {
            for (Map.Entry<String, LongFunction<String>> workload : WORKLOADS.entrySet()) {
                // A statement with a comment has no shape for plan reuse and is compiled by itself.
                LongFunction<String> alone = n -> workload.getValue().apply(n) + " -- " + n;
                measure(engine, workload.getValue(), 2, Math.max(2, seconds / 2));
                measure(engine, alone, 2, Math.max(2, seconds / 2));
                progress.line(workload.getKey());
                for (int count : threads) {
                    progress.line("  " + measure(engine, workload.getValue(), count, seconds));
                    progress.line("  each by itself: " + measure(engine, alone, count, seconds));
                }
            }
        }
    }

    private String measure(CompileEngine engine, LongFunction<String> statements, int threads, int duration)
            throws Exception {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Path file = Files.createTempFile("compile", ".jfr");
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.JavaMonitorEnter")
                    .withThreshold(Duration.ofMillis(1))
                    .withoutStackTrace();
            recording
                    .enable("jdk.ThreadPark")
                    .withThreshold(Duration.ofMillis(1))
                    .withoutStackTrace();
            recording.start();
            long hits = engine.hits();
            long cpu = process.getProcessCpuTime();
            long begin = System.nanoTime();
            long compiled = compile(engine, statements, threads, begin + TimeUnit.SECONDS.toNanos(duration));
            double took = (System.nanoTime() - begin) / 1e9;
            double cpuMillis = (process.getProcessCpuTime() - cpu) / 1e6;
            recording.stop();
            recording.dump(file);
            return String.format(
                    Locale.ROOT,
                    "%2d sessions: %7.0f a second, %6.2f ms of CPU each, %3.0f %% by a kept plan, waits for locks: %s",
                    threads,
                    compiled / took,
                    cpuMillis / Math.max(1, compiled),
                    100.0 * (engine.hits() - hits) / Math.max(1, compiled),
                    waits(file, threads * took));
        } finally {
            Files.delete(file);
        }
    }

    private long compile(CompileEngine engine, LongFunction<String> statements, int threads, long end)
            throws InterruptedException {
        AtomicLong compiled = new AtomicLong();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofPlatform().name("compile-" + i).start(() -> {
                try (SqlSession session = engine.session()) {
                    while (System.nanoTime() < end) {
                        long number = numbers.getAndIncrement();
                        try (SqlStatement statement =
                                session.compile(new QueryId("q" + number), statements.apply(number))) {
                            compiled.addAndGet(statement.schema().isPresent() ? 1 : 0);
                        }
                    }
                }
            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        return compiled.get();
    }

    /** Returns the three largest causes of waits of at least a millisecond, in percent of the sessions' time. */
    private static String waits(Path recording, double sessionSeconds) throws IOException {
        Map<String, Double> waited = new HashMap<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
            boolean compiling = event.getThread() != null
                    && event.getThread().getJavaName() != null
                    && event.getThread().getJavaName().startsWith("compile-");
            RecordedClass lock = event.hasField("monitorClass")
                    ? event.getClass("monitorClass")
                    : event.hasField("parkedClass") ? event.getClass("parkedClass") : null;
            if (compiling && lock != null) {
                waited.merge(lock.getName(), event.getDuration().toNanos() / 1e9, Double::sum);
            }
        }
        List<String> largest = waited.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(3)
                .map(entry -> String.format(
                        Locale.ROOT, "%s %.1f %%", entry.getKey(), 100 * entry.getValue() / sessionSeconds))
                .toList();
        return largest.isEmpty() ? "none" : String.join(", ", largest);
    }
}
