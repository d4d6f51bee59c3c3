package io.skep.bench.rpc;

import io.skep.bench.process.ForkedJvm;
import io.skep.bench.process.ProcessUse;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs loads of growing size over Skep's RPC and over Thrift. Each has a separate server process, and the clients are
 * in this process.
 */
public final class RpcBench {
    /** The time before the end of a round at which the server is asked for its metrics. */
    private static final long ASK_BEFORE_NANOS = 300_000_000;

    private static final int WARM_UP_SECONDS = 15;
    private static final int LONGEST_WARM_UP_SECONDS = 90;
    private static final long WARM_UP_FRAGMENTS = 30_000;

    /**
     * CPU time of both sides, in nanoseconds. Unlike the throughput, it is hardly affected by other processes on the
     * machine.
     */
    private record Cpu(long server, long client) {}

    private final int seconds;
    private final Consumer<String> lines;

    public RpcBench(int seconds, Consumer<String> lines) {
        this.seconds = seconds;
        this.lines = lines;
    }

    /** @param loads each as hosts x queries x fragments */
    public void run(List<String> loads) throws IOException, InterruptedException {
        lines.accept(String.format(
                Locale.ROOT,
                "%-8s %-12s %9s %9s %9s %9s %11s %8s %9s %9s %9s %9s %9s %8s",
                "",
                "load",
                "streams",
                "connects",
                "threads",
                "server MB",
                "fragments/s",
                "calls/s",
                "MB/s",
                "p50 ms",
                "p99 ms",
                "server us",
                "client us",
                "errors"));
        Path folder = Files.createTempDirectory("skep-rpc");
        for (String load : loads) {
            measure("skep", new SkepRpcClient(), RpcLoad.parse(load), folder);
            measure("thrift", new ThriftClient(), RpcLoad.parse(load), folder);
        }
    }

    private void measure(String contender, RpcClient client, RpcLoad load, Path folder)
            throws IOException, InterruptedException {
        Process server = new ForkedJvm(List.of("-Xss256k"))
                .start(
                        RpcServerFork.class,
                        List.of(contender, folder.resolve(contender).toString()));
        try (BufferedReader answers = server.inputReader();
                BufferedWriter questions = server.outputWriter()) {
            int port = Integer.parseInt(answers.readLine().substring("port ".length()));
            RpcLoad small = new RpcLoad(1, 2, Math.min(10, load.fragments()));
            warmUp(client, port, small);
            RpcStats tally = new RpcStats();
            long serverCpu = Long.parseLong(ask(questions, answers)[4]);
            long clientCpu = ProcessUse.cpuNanos();
            long start = System.nanoTime();
            long end = start + TimeUnit.SECONDS.toNanos(seconds);
            Thread running = Thread.ofPlatform().start(() -> run(client, port, load, end, tally));
            running.join(Math.max(1, (end - ASK_BEFORE_NANOS - System.nanoTime()) / 1_000_000));
            String[] stats = ask(questions, answers);
            running.join();
            double took = (System.nanoTime() - start) / 1e9;
            Cpu cpu =
                    new Cpu(Long.parseLong(ask(questions, answers)[4]) - serverCpu, ProcessUse.cpuNanos() - clientCpu);
            print(contender, load, stats, tally, took, cpu);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    /**
     * Runs for a fixed time on an idle machine, and for a fixed amount of work on a busy one, so that the measurement
     * does not include compilation.
     */
    private static void warmUp(RpcClient client, int port, RpcLoad load) throws InterruptedException {
        RpcStats tally = new RpcStats();
        long longest = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_WARM_UP_SECONDS);
        do {
            client.run(port, load, System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS), tally);
        } while (tally.fragments() < WARM_UP_FRAGMENTS && System.nanoTime() < longest);
    }

    private static String[] ask(BufferedWriter questions, BufferedReader answers) throws IOException {
        questions.write("figures\n");
        questions.flush();
        return answers.readLine().split(" ");
    }

    private static void run(RpcClient client, int port, RpcLoad load, long end, RpcStats tally) {
        try {
            client.run(port, load, end, tally);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void print(String contender, RpcLoad load, String[] stats, RpcStats tally, double took, Cpu cpu) {
        Map<String, String> server = Map.of("threads", stats[1], "connections", stats[2], "megabytes", stats[3]);
        lines.accept(String.format(
                Locale.ROOT,
                "%-8s %-12s %9d %9s %9s %9s %11.0f %8.0f %9.1f %9.1f %9.1f %9.0f %9.0f %8d",
                contender,
                load,
                load.streams(),
                server.get("connections"),
                server.get("threads"),
                server.get("megabytes"),
                tally.fragments() / took,
                tally.calls() / took,
                tally.bytes() / took / (1 << 20),
                tally.percentileMillis(0.5),
                tally.percentileMillis(0.99),
                cpu.server() / 1e3 / tally.fragments(),
                cpu.client() / 1e3 / tally.fragments(),
                tally.errors()));
    }
}
