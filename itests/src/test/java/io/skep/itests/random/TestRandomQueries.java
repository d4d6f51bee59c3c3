package io.skep.itests.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.random.Shrinker.Finding;
import io.skep.itests.random.Verdict.Right;
import io.skep.itests.random.Verdict.Unknown;
import io.skep.itests.random.Verdict.Wrong;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.itests.sql.ExecutionMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs random queries and judges them by oracles. docs/testing/random-queries.md says how to run more of them. */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestRandomQueries {
    private static final String DATABASE = "random_queries";
    private static final long FIRST_SEED = Long.getLong("skep.random.first", 1);
    private static final long SEEDS = Long.getLong("skep.random.seeds", 60);
    private static final int SEEDS_A_TEST = 20;

    /** Tez takes ten times as long as direct execution for a small query. */
    private static final int SEEDS_A_TEZ_QUERY = 10;

    private static final int ATTEMPTS_TO_SHRINK = 300;

    private final Map<String, Integer> tally = new TreeMap<>();
    private ReleasedClient client;
    private Engine peer;

    /** @param end the exclusive end of the seeds */
    record Seeds(long first, long end) {}

    static Stream<Seeds> seeds() {
        long end = FIRST_SEED + SEEDS;
        return LongStream.iterate(FIRST_SEED, first -> first < end, first -> first + SEEDS_A_TEST)
                .mapToObj(first -> new Seeds(first, Math.min(end, first + SEEDS_A_TEST)));
    }

    @BeforeAll
    void load(TestServer server, @TempDir Path folder) throws Exception {
        client = ReleasedClient.open();
        peer = new Engine(DriverManager.getConnection("jdbc:duckdb:"));
        run(server, "CREATE DATABASE " + DATABASE);
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            RandomDatabase.load(sessions.in(ExecutionMode.DIRECT).connection(), peer.connection(), folder);
        }
    }

    @AfterAll
    void drop(TestServer server) throws Exception {
        run(server, "DROP DATABASE " + DATABASE + " CASCADE");
        peer.connection().close();
        client.close();
        System.out.println("random queries: " + tally);
        if (SEEDS >= SEEDS_A_TEST) {
            assertThat(count(" right")).as("judged, of %s", tally).isGreaterThan(count(" unknown"));
        }
    }

    private int count(String verdict) {
        return tally.entrySet().stream()
                .filter(entry -> entry.getKey().contains(verdict))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private void run(TestServer server, String sql) throws SQLException {
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void giveWhatTheOraclesSay(Seeds seeds, TestServer server) throws Exception {
        List<String> findings = new ArrayList<>();
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            for (long seed = seeds.first(); seed < seeds.end(); seed++) {
                judge(seed, sessions, findings);
            }
        }
        assertThat(findings).as(String.join("\n", findings)).isEmpty();
    }

    private void judge(long seed, Sessions sessions, List<String> findings) {
        Engine direct = sessions.in(ExecutionMode.DIRECT);
        QueryGenerator generator = new QueryGenerator(new SplittableRandom(seed));
        Query any = generator.query();
        Query filter = generator.filter();
        Query groups = generator.groups();
        Query aggregates = generator.aggregates();
        Query scalars = generator.scalars();
        Query star = generator.star();
        for (Query query : List.of(any, filter, groups, aggregates, scalars, star)) {
            judge(seed, query, new PeerOracle(direct, peer), findings);
        }
        for (ExecutionMode mode : ExecutionMode.EVERYWHERE) {
            if (mode != ExecutionMode.DIRECT && (mode != ExecutionMode.TEZ || seed % SEEDS_A_TEZ_QUERY == 0)) {
                judge(seed, any, new ModeOracle(direct, sessions.in(mode), mode), findings);
                judge(seed, star, new ModeOracle(direct, sessions.in(mode), mode), findings);
            }
        }
        judge(seed, filter, new CountOracle(direct), findings);
        judge(seed, filter, new PartitionOracle(direct), findings);
        judge(seed, groups, new PartitionOracle(direct), findings);
        judge(seed, aggregates, new AggregateOracle(direct), findings);
        judge(seed, scalars, new ConstantOracle(direct), findings);
    }

    private void judge(long seed, Query query, Oracle oracle, List<String> findings) {
        String verdict = switch (oracle.judge(query)) {
            case Right() -> "right";
            case Unknown(String why) -> "unknown (" + why.lines().findFirst().orElse("") + ")";
            case Wrong(String why) -> {
                Finding finding = new Shrinker(oracle, ATTEMPTS_TO_SHRINK).shrink(query, why);
                findings.add("seed " + seed + ", " + oracle + ": " + finding.why() + "\n  "
                        + finding.query().sql(Dialect.HIVE) + "\n  made smaller from\n  "
                        + query.sql(Dialect.HIVE));
                yield "wrong";
            }
        };
        tally.merge(oracle + " " + verdict, 1, Integer::sum);
    }
}
