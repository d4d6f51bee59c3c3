package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.testing.Polling;
import io.skep.common.testing.Sampling;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.StatementGate;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Changes a table's definition while another statement writes to it. The final state is that of one of the serial
 * orders, with the same statements failing. A statement that fails has changed nothing.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDefinitionsDuringWrites {
    private static final int RANDOM_ROUNDS = 20;

    /** One in this number of pairs of statements runs, in each JVM other ones: their maps have no order. */
    private static final int STRIDE = 7;

    private static final long SEED = 15;

    private final StatementGate gate = new StatementGate();
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT, gate::runner, gate::files);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int databases;

    @TempDir
    private Path folder;

    @AfterAll
    void close() {
        threads.shutdownNow();
        engine.close();
    }

    /** In statements, ${d} is the database and ${f} a folder of the round. */
    private static final List<String> PLAIN =
            List.of("create table ${d}.t (a int) stored as textfile", "insert into ${d}.t values (1)");

    private static final List<String> PARTED = List.of(
            "create table ${d}.t (a int) partitioned by (p int) stored as textfile",
            "insert into ${d}.t partition (p = 1) values (1)",
            "create table ${d}.s (a int) partitioned by (p int) stored as textfile",
            "insert into ${d}.s partition (p = 2) values (9)");

    private static final List<String> ORC = List.of(
            "create table ${d}.t (a int) stored as orc",
            "insert into ${d}.t values (1)",
            "insert into ${d}.t values (2)");

    private static final Map<String, String> REWRITES = Map.of("concatenate", "alter table ${d}.t concatenate");

    private static final Map<String, String> OWN_ROWS = Map.of(
            "own rows",
            "insert overwrite table ${d}.t select a + 10 from ${d}.t",
            "own count",
            "insert overwrite table ${d}.t select count(*) from ${d}.t");

    private static final Map<String, String> OWN_PARTITIONS = Map.of(
            "own rows",
            "insert overwrite table ${d}.t partition (p) select a + 10, p from ${d}.t",
            "own partition",
            "insert overwrite table ${d}.t partition (p = 1) select a + 10 from ${d}.t where p = 1",
            "own keys",
            "insert overwrite table ${d}.t partition (p) select max(p), 1 from ${d}.t");

    private static final Map<String, String> DIRECTORIES =
            Map.of("directory", "insert overwrite directory '${f}/out' select 2");

    private static Map<String, List<String>> coveringTables() {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        changes.put("table over it", List.of("create table ${d}.o (a int) stored as textfile location '${f}/out'"));
        changes.put("table moved over it", List.of("alter table ${d}.t set location '${f}/out'"));
        return changes;
    }

    private static Map<String, List<String>> partedInserts() {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        changes.put("insert", List.of("insert into ${d}.t partition (p = 1) values (3)"));
        changes.put("insert elsewhere", List.of("insert into ${d}.t partition (p = 2) values (3)"));
        changes.put("drop partition", List.of("alter table ${d}.t drop partition (p = 1)"));
        return changes;
    }

    private static Map<String, List<String>> orcChanges() {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        changes.put("insert", List.of("insert into ${d}.t values (3)"));
        changes.put("overwrite", List.of("insert overwrite table ${d}.t values (3)"));
        changes.put("truncate", List.of("truncate table ${d}.t"));
        changes.put("drop", List.of("drop table ${d}.t"));
        return changes;
    }

    private static final Map<String, String> PLAIN_WRITES = Map.of(
            "insert", "insert into ${d}.t select 2",
            "overwrite", "insert overwrite table ${d}.t select 2",
            "load", "load data local inpath '${f}/rows' into table ${d}.t");

    private static final Map<String, String> PARTED_WRITES = Map.of(
            "static", "insert into ${d}.t partition (p = 1) select 2",
            "dynamic", "insert overwrite table ${d}.t partition (p) select 2, 1 union all select 3, 2",
            "load", "load data local inpath '${f}/rows' into table ${d}.t partition (p = 1)");

    private static Map<String, List<String>> plainChanges() {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        changes.put("drop", List.of("drop table ${d}.t"));
        changes.put("drop and create", List.of("drop table ${d}.t", "create table ${d}.t (a int) stored as textfile"));
        changes.put(
                "drop and create otherwise",
                List.of("drop table ${d}.t", "create table ${d}.t (b string, a string) stored as orc"));
        changes.put("rename", List.of("alter table ${d}.t rename to ${d}.u"));
        changes.put(
                "rename and create",
                List.of("alter table ${d}.t rename to ${d}.u", "create table ${d}.t (a int) stored as textfile"));
        changes.put("truncate", List.of("truncate table ${d}.t"));
        changes.put("set location", List.of("alter table ${d}.t set location '${f}/new'"));
        changes.put("set properties", List.of("alter table ${d}.t set tblproperties ('x' = 'y')"));
        changes.put("count files", List.of("analyze table ${d}.t compute statistics noscan"));
        changes.put("count rows", List.of("analyze table ${d}.t compute statistics"));
        changes.put("drop database", List.of("drop database ${d} cascade"));
        return changes;
    }

    private static Map<String, List<String>> partedChanges() {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        changes.put("drop partition", List.of("alter table ${d}.t drop partition (p = 1)"));
        changes.put("add partition", List.of("alter table ${d}.t add partition (p = 2) location '${f}/new'"));
        changes.put("rename partition", List.of("alter table ${d}.t partition (p = 1) rename to partition (p = 2)"));
        changes.put("truncate", List.of("truncate table ${d}.t"));
        changes.put("truncate partition", List.of("truncate table ${d}.t partition (p = 1)"));
        changes.put("relocate", List.of("alter table ${d}.t partition (p = 1) set location '${f}/new'"));
        changes.put("exchange in", List.of("alter table ${d}.t exchange partition (p = 2) with table ${d}.s"));
        changes.put("exchange out", List.of("alter table ${d}.s exchange partition (p = 1) with table ${d}.t"));
        changes.put("rename", List.of("alter table ${d}.t rename to ${d}.u"));
        changes.put("repair", List.of("msck repair table ${d}.t sync partitions"));
        return changes;
    }

    /** A write and a change of definitions that start with the same tables. */
    record Pair(String name, List<String> setup, String write, List<String> change) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        add(pairs, "plain ", PLAIN, PLAIN_WRITES, plainChanges());
        add(pairs, "", PLAIN, DIRECTORIES, coveringTables());
        add(pairs, "orc ", ORC, REWRITES, orcChanges());
        add(pairs, "orc ", ORC, OWN_ROWS, orcChanges());
        add(pairs, "parted ", PARTED, OWN_PARTITIONS, partedInserts());
        add(pairs, "partitioned ", PARTED, PARTED_WRITES, partedChanges());
        return pairs;
    }

    private static void add(
            List<Pair> pairs,
            String kind,
            List<String> setup,
            Map<String, String> writes,
            Map<String, List<String>> changes) {
        writes.forEach((write, statement) -> changes.forEach((change, statements) ->
                pairs.add(new Pair(kind + write + " beside " + change, setup, statement, statements))));
    }

    static Stream<Pair> all() {
        return Sampling.of(pairs(), STRIDE);
    }

    /** A separate database for each run, with its folders. */
    private final class Round {
        private final String database = "d" + databases++;
        private final Path files;
        private final Pair pair;
        private final List<Throwable> failures = new ArrayList<>();

        Round(Pair pair) {
            this.pair = pair;
            try {
                files = Files.createDirectories(folder.resolve(database));
                Files.writeString(files.resolve("rows"), "2\n");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            assertThat(run("create database " + database)).isTrue();
            pair.setup().forEach(statement -> assertThat(run(statement)).isTrue());
        }

        /** Returns whether the statement succeeds. An internal error fails the test. */
        boolean run(String statement) {
            try (SqlSession session = engine.session()) {
                engine.run(session, statement.replace("${d}", database).replace("${f}", files.toString()));
                return true;
            } catch (SkepException e) {
                assertThat(e.code().kind()).as(e.fullMessage()).isNotEqualTo(ErrorKind.INTERNAL);
                synchronized (failures) {
                    failures.add(e);
                }
                return false;
            }
        }

        boolean write() {
            return run(pair.write());
        }

        /** Runs statements until one fails. Returns the index of the failed statement, or {@code to} if none fails. */
        int change(int from, int to) {
            for (int i = from; i < to; i++) {
                if (!run(pair.change().get(i))) {
                    return i;
                }
            }
            return to;
        }

        /** Returns all tables of the database with their rows, counts and partitions, and any leftovers. */
        String state() {
            List<String> lines = new ArrayList<>();
            if (engine.catalog().database(database).isEmpty()) {
                return "no database";
            }
            try (SqlSession session = engine.session()) {
                for (String table : engine.catalog().tables(database)) {
                    String name = database + "." + table;
                    lines.add(table + " rows "
                            + engine.rows(session, "select * from " + name).stream()
                                    .sorted()
                                    .toList());
                    lines.add(table + " count " + engine.rows(session, "select count(*) from " + name));
                    Table found = engine.catalog().table(database, table).orElseThrow();
                    if (!found.partitionKeys().isEmpty()) {
                        lines.add(table + " partitions " + engine.catalog().partitionNames(found));
                        lines.add(table + " counts "
                                + engine.rows(session, "select p, count(*) from " + name + " group by p").stream()
                                        .sorted()
                                        .toList());
                    }
                }
            }
            return String.join("\n", lines);
        }

        /** Returns folders of commits, and folders of the database that belong to no table. */
        List<Path> leftovers() throws IOException {
            Path root = engine.data().resolve("warehouse").resolve(database + ".db");
            if (!Files.exists(root)) {
                return List.of();
            }
            List<String> tables = engine.catalog().tables(database);
            try (Stream<Path> all = Files.walk(root)) {
                return all.filter(path -> path.getFileName().toString().startsWith(".skep-")
                                || root.equals(path.getParent())
                                        && !tables.contains(path.getFileName().toString()))
                        .toList();
            }
        }

        void drop() {
            run("drop database if exists " + database + " cascade");
        }
    }

    /** An observed outcome: whether the write succeeded, how many statements of the change did, and the final state. */
    private record Outcome(boolean written, int changed, String state) {}

    /** The outcomes of statements that run alone, by setup and statements. Many pairs share them. */
    private final Map<List<String>, Outcome> alone = new HashMap<>();

    private Outcome alone(Pair pair, List<String> statements, Function<Round, Outcome> outcome) {
        List<String> key = new ArrayList<>(pair.setup());
        key.addAll(statements);
        return alone.computeIfAbsent(key, statementsAfterSetup -> outcome.apply(new Round(pair)));
    }

    /**
     * Returns the outcomes of every serial order: the write before, between and after the statements of the change, and
     * each of both alone.
     */
    private List<Outcome> serial(Pair pair) {
        List<Outcome> outcomes = new ArrayList<>();
        int statements = pair.change().size();
        for (int before = 0; before <= statements; before++) {
            Round round = new Round(pair);
            int changed = round.change(0, before);
            boolean written = round.write();
            changed = changed < before ? changed : round.change(before, statements);
            outcomes.add(new Outcome(written, changed, round.state()));
        }
        outcomes.add(
                alone(pair, pair.change(), round -> new Outcome(false, round.change(0, statements), round.state())));
        outcomes.add(alone(pair, List.of(pair.write()), round -> new Outcome(round.write(), 0, round.state())));
        return outcomes;
    }

    private void check(String when, Round round, Outcome seen, List<Outcome> allowed) {
        assertThat(allowed)
                .as(round.pair + ", " + when + "; failures: " + round.failures)
                .contains(seen);
    }

    @ParameterizedTest
    @MethodSource("all")
    void eachPhaseOfTheWrite(Pair pair) throws Exception {
        List<Outcome> allowed = serial(pair);
        for (StatementGate.Phase phase : StatementGate.Phase.values()) {
            Round round = new Round(pair);
            AtomicReference<Optional<StatementGate.Stop>> stop = new AtomicReference<>(Optional.empty());
            CountDownLatch armed = new CountDownLatch(1);
            CompletableFuture<Boolean> write = CompletableFuture.supplyAsync(
                    () -> {
                        stop.set(Optional.of(gate.arm(Thread.currentThread(), phase)));
                        armed.countDown();
                        try {
                            return round.write();
                        } finally {
                            // The same thread may run the change next.
                            gate.disarm();
                        }
                    },
                    threads);
            armed.await();
            StatementGate.Stop gateStop = stop.get().orElseThrow();
            await(() -> gateStop.reached().getCount() == 0 || write.isDone());
            AtomicReference<Optional<Thread>> changer = new AtomicReference<>(Optional.empty());
            CompletableFuture<Integer> change = CompletableFuture.supplyAsync(
                    () -> {
                        changer.set(Optional.of(Thread.currentThread()));
                        return round.change(0, pair.change().size());
                    },
                    threads);
            // A write holds no lease before its commit. During its commit the change must wait.
            boolean waits = phase == StatementGate.Phase.IN_COMMIT;
            await(() -> change.isDone()
                    || waits
                            && changer.get()
                                    .filter(TestDefinitionsDuringWrites::waitsForLease)
                                    .isPresent());
            gateStop.open().countDown();
            check(phase.toString(), round, new Outcome(write.get(), change.get(), round.state()), allowed);
            assertThat(round.leftovers())
                    .as(pair + ", " + phase + "; failures: " + round.failures)
                    .isEmpty();
        }
    }

    /** The table's folder is inside the other database's folder before the catalog is changed. */
    @Test
    void noDatabaseIsDroppedWhileATableMovesIntoIt() throws Exception {
        Round round = new Round(new Pair("rename into a database", PLAIN, "", List.of()));
        assertThat(round.run("create database ${d}x")).isTrue();
        CompletableFuture<StatementGate.Stop> stop = new CompletableFuture<>();
        CompletableFuture<Boolean> rename = CompletableFuture.supplyAsync(
                () -> {
                    stop.complete(gate.arm(Thread.currentThread(), StatementGate.Phase.IN_COMMIT));
                    try {
                        return round.run("alter table ${d}.t rename to ${d}x.t");
                    } finally {
                        gate.disarm();
                    }
                },
                threads);
        stop.get().reached().await();
        AtomicReference<Optional<Thread>> dropper = new AtomicReference<>(Optional.empty());
        CompletableFuture<Boolean> drop = CompletableFuture.supplyAsync(
                () -> {
                    dropper.set(Optional.of(Thread.currentThread()));
                    return round.run("drop database ${d}x");
                },
                threads);
        await(() -> drop.isDone()
                || dropper.get()
                        .filter(TestDefinitionsDuringWrites::waitsForLease)
                        .isPresent());
        stop.get().open().countDown();
        assertThat(rename.get()).as(round.failures.toString()).isTrue();
        assertThat(drop.get()).isFalse();
        try (SqlSession session = engine.session()) {
            assertThat(engine.rows(session, "select * from " + round.database + "x.t"))
                    .containsExactly("1");
        }
        assertThat(round.run("drop database ${d}x cascade")).isTrue();
        round.drop();
    }

    private static boolean waitsForLease(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().endsWith(".ListingLocks"));
    }

    private static void await(BooleanSupplier condition) {
        Polling.await("a step of the round").pollInterval(Duration.ofMillis(1)).until(condition::getAsBoolean);
    }

    /** Runs many rounds of random pairs with random start times. */
    @Test
    void atRandomMoments() throws Exception {
        Random random = new Random(SEED);
        List<Pair> pairs = pairs();
        for (int i = 0; i < RANDOM_ROUNDS; i++) {
            Pair pair = pairs.get(random.nextInt(pairs.size()));
            List<Outcome> allowed = serial(pair);
            Round round = new Round(pair);
            long nanos = random.nextInt(20_000_000);
            boolean writeFirst = random.nextBoolean();
            CompletableFuture<Boolean> write = CompletableFuture.supplyAsync(
                    () -> {
                        LockSupport.parkNanos(writeFirst ? 0 : nanos);
                        return round.write();
                    },
                    threads);
            CompletableFuture<Integer> change = CompletableFuture.supplyAsync(
                    () -> {
                        LockSupport.parkNanos(writeFirst ? nanos : 0);
                        return round.change(0, pair.change().size());
                    },
                    threads);
            Outcome seen = new Outcome(write.get(), change.get(), round.state());
            check("round " + i + " of seed " + SEED, round, seen, allowed);
            round.drop();
        }
    }

    /** A reader gets either all rows, or the error that the table does not exist. */
    @Test
    void readersSeeAllRowsOrNoTable() throws Exception {
        for (String change : List.of("drop table ${d}.t", "alter table ${d}.t rename to ${d}.u")) {
            for (int i = 0; i < 10; i++) {
                Round round = new Round(new Pair(change, PLAIN, "", List.of(change)));
                List<String> wrong = new ArrayList<>();
                CountDownLatch reading = new CountDownLatch(1);
                CompletableFuture<Void> reader = CompletableFuture.runAsync(
                        () -> {
                            try (SqlSession session = engine.session()) {
                                while (true) {
                                    List<String> rows =
                                            engine.rows(session, "select a from " + round.database + ".t where a > 0");
                                    reading.countDown();
                                    if (!rows.equals(List.of("1"))) {
                                        wrong.add(rows.toString());
                                    }
                                }
                            } catch (SkepException e) {
                                if (e.code().kind() == ErrorKind.INTERNAL) {
                                    wrong.add(e.fullMessage());
                                }
                            }
                        },
                        threads);
                reading.await();
                assertThat(round.change(0, 1)).isEqualTo(1);
                reader.get();
                assertThat(wrong).isEmpty();
                round.drop();
            }
        }
    }
}
