package io.skep.bench.rpc;

import io.skep.bench.process.ForkedJvm;
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

/** Loads of growing size over our RPC and over Thrift, each with a server process of its own and the clients in this one. */
public final class RpcBench {
    /** Before the end of a round the server is asked how it is. */
    private static final long ASK_BEFORE_NANOS = 300_000_000;

    private static final int WARM_UP_SECONDS = 15;

    private final int seconds;
    private final Consumer<String> lines;

    public RpcBench(int seconds, Consumer<String> lines) {
        this.seconds = seconds;
        this.lines = lines;
    }

    /** @param loads hosts x queries x fragments each */
    public void run(List<String> loads) throws IOException, InterruptedException {
        lines.accept(String.format(
                Locale.ROOT,
                "%-8s %-12s %9s %9s %9s %9s %11s %8s %9s %9s %9s %8s",
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
            client.run(port, small, System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS), new RpcTally());
            RpcTally tally = new RpcTally();
            long start = System.nanoTime();
            long end = start + TimeUnit.SECONDS.toNanos(seconds);
            Thread running = Thread.ofPlatform().start(() -> run(client, port, load, end, tally));
            running.join(Math.max(1, (end - ASK_BEFORE_NANOS - System.nanoTime()) / 1_000_000));
            questions.write("figures\n");
            questions.flush();
            String[] figures = answers.readLine().split(" ");
            running.join();
            print(contender, load, figures, tally, (System.nanoTime() - start) / 1e9);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static void run(RpcClient client, int port, RpcLoad load, long end, RpcTally tally) {
        try {
            client.run(port, load, end, tally);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void print(String contender, RpcLoad load, String[] figures, RpcTally tally, double took) {
        Map<String, String> server = Map.of("threads", figures[1], "connections", figures[2], "megabytes", figures[3]);
        lines.accept(String.format(
                Locale.ROOT,
                "%-8s %-12s %9d %9s %9s %9s %11.0f %8.0f %9.1f %9.1f %9.1f %8d",
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
                tally.errors()));
    }
}
