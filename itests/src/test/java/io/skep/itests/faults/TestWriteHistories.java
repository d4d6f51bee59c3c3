package io.skep.itests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.history.AppendWorkload;
import io.skep.itests.history.BankWorkload;
import io.skep.itests.history.HistoryClock;
import io.skep.itests.history.ListWorkload;
import io.skep.itests.history.RegisterWorkload;
import io.skep.itests.history.Workload;
import io.skep.itests.history.WorkloadClient;
import io.skep.itests.server.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients write and read tables while processes are killed, stopped and cut off, and checkers judge the histories. Each
 * acknowledged write is present exactly once; every other write is present as a whole or not at all. Each read sees one
 * state between two commits. docs/performance/faults.md says how to run it for longer.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class TestWriteHistories {
    /** Readers may be answered from cached results, which must be those of their moment. */
    private static final Map<String, String> CACHED = Map.of("hive.query.results.cache.enabled", "true");

    private static final int SERVERS = 2;
    private static final int DAEMONS = 2;
    private static final int SECONDS = Integer.getInteger("skep.faults.seconds", 20);
    private static final long SEED = Long.getLong("skep.faults.seed", 1);
    private static final int LONGEST_MILLIS = 8000;
    private static final int LONGEST_PAUSE_MILLIS = 5000;

    /** After this time the clients continue with new tables, because each write of a round adds files. */
    private static final int ROUND_SECONDS = 60;

    /** On a slow machine a round continues until each table has this number of acknowledged writes. */
    private static final int MIN_WRITES = 4;

    /** A server acknowledges between one and this number of writes before it is killed. */
    private static final int MAX_WRITES_OF_A_LIFE = 10;

    /**
     * The progress of a round.
     *
     * @param acknowledged the number of writes that were acknowledged in the round
     * @param over whether its clients stop
     */
    private record Progress(LongSupplier acknowledged, BooleanSupplier over) {}

    /** The workloads of a round, each on a table of its own. */
    @FunctionalInterface
    private interface Workloads {
        List<Workload> of(int round, HistoryClock clock);
    }

    /** A temporary fault of processes. It returns when all processes work again. */
    @FunctionalInterface
    private interface ProcessFault {
        void inject(Random random, Progress progress) throws Exception;
    }

    @Test
    void ofTwoServers(@TempDir Path folder) throws Exception {
        ofTwoServers(folder, TestWriteHistories::plainTables);
    }

    @Test
    void ofTransactions(@TempDir Path folder) throws Exception {
        ofTwoServers(folder, (round, _) -> List.of(new ListWorkload("lists" + round)));
    }

    private static void ofTwoServers(Path folder, Workloads workloads) throws Exception {
        try (StreamSite site = StreamSite.start(folder, SERVERS, DAEMONS);
                ReleasedClient client = ReleasedClient.open()) {
            AtomicInteger next = new AtomicInteger();
            Supplier<String> urls =
                    () -> site.server(next.getAndIncrement() % SERVERS).url();
            List<Fault> faults = Fault.possible(site);
            check(client, urls, workloads, (random, progress) -> {
                Fault fault = faults.get(random.nextInt(faults.size()));
                int millis = random.nextInt(LONGEST_MILLIS);
                System.out.println(fault + " for " + millis + " ms");
                Fault.Repair repair = fault.inject(site, random);
                Thread.sleep(millis);
                repair.run();
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
            });
            site.awaitWhole();
            assertThat(site.leftovers()).isEmpty();
        }
    }

    /** With the embedded metastore the journal is on the server's own disk. */
    @Test
    void ofOneServerThatIsKilled(@TempDir Path folder) throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        AtomicReference<ServerProcess> server = new AtomicReference<>(ServerProcess.start(data, CACHED));
        try (ReleasedClient client = ReleasedClient.open()) {
            check(client, () -> server.get().url(), TestWriteHistories::plainTables, (random, progress) -> {
                LongSupplier acknowledged = progress.acknowledged();
                long enough = acknowledged.getAsLong() + 1 + random.nextInt(MAX_WRITES_OF_A_LIFE);
                ServerProcess.await(() -> progress.over().getAsBoolean() || acknowledged.getAsLong() >= enough);
                server.get().process().destroyForcibly().waitFor();
                server.set(ServerProcess.start(data, CACHED));
            });
        } finally {
            server.get().close();
        }
    }

    private static List<Workload> plainTables(int round, HistoryClock clock) {
        return List.of(
                new AppendWorkload("appended" + round, clock),
                new RegisterWorkload("registers" + round, clock),
                new BankWorkload("accounts" + round));
    }

    private static void check(ReleasedClient client, Supplier<String> urls, Workloads workloads, ProcessFault harm)
            throws Exception {
        Random random = new Random(SEED);
        int rounds = Math.ceilDiv(SECONDS, ROUND_SECONDS);
        for (int round = 0; round < rounds; round++) {
            round(
                    client,
                    urls,
                    workloads.of(round, new HistoryClock()),
                    harm,
                    random,
                    round,
                    Math.min(SECONDS - round * ROUND_SECONDS, ROUND_SECONDS));
        }
    }

    private static void round(
            ReleasedClient client,
            Supplier<String> urls,
            List<Workload> workloads,
            ProcessFault harm,
            Random random,
            int round,
            int seconds)
            throws Exception {
        for (Workload workload : workloads) {
            WorkloadClient.retryUntilDone(client, urls, statement -> {
                for (String text : workload.setUp()) {
                    statement.execute(text);
                }
            });
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        BooleanSupplier over = () -> System.nanoTime() - end >= 0
                && workloads.stream().allMatch(workload -> workload.acknowledged() >= MIN_WRITES);
        List<String> internalErrors = run(client, urls, workloads, harm, random, over);
        for (Workload workload : workloads) {
            for (int reads = 0; reads < SERVERS; reads++) {
                WorkloadClient.retryUntilDone(client, urls, workload::read);
            }
            System.out.println("seed " + SEED + ", round " + round + ": " + workload.summary());
        }
        for (Workload workload : workloads) {
            assertThat(workload.violations()).as("seed %d", SEED).isEmpty();
        }
        assertThat(internalErrors).as("seed %d", SEED).isEmpty();
    }

    /** Runs two writers and two readers for each table. Returns the internal errors of the servers. */
    private static List<String> run(
            ReleasedClient client,
            Supplier<String> urls,
            List<Workload> workloads,
            ProcessFault harm,
            Random random,
            BooleanSupplier over)
            throws Exception {
        List<WorkloadClient> clients = new ArrayList<>();
        for (Workload workload : workloads) {
            for (int number = 0; number < SERVERS; number++) {
                clients.add(WorkloadClient.writer(client, urls, workload, random.nextLong(), over));
                clients.add(WorkloadClient.reader(client, urls, workload, over));
            }
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
            List<Future<?>> running = new ArrayList<>();
            clients.forEach(one -> running.add(threads.submit(one)));
            Progress progress = new Progress(
                    () -> workloads.stream().mapToLong(Workload::acknowledged).sum(), over);
            while (!over.getAsBoolean()) {
                harm.inject(random, progress);
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        return clients.stream()
                .map(WorkloadClient::internalErrors)
                .flatMap(List::stream)
                .toList();
    }
}
