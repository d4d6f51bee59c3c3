package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs many concurrent queries that together need more memory than the daemon has. They spill or wait, and all return
 * their answers, and then no memory is reserved and no file is left. How many queries of the same kind overtake a query
 * is printed only, since it depends on the machine; a test of the memory pool checks that older queries are served
 * first.
 */
@Timeout(300)
final class TestMemoryPressure {
    private static final Pattern NOTHING_RESERVED = Pattern.compile("\"reserved by queries\"[^}]*:0[,}]");
    private static final int ROUNDS = 2;

    /** The outcome of a query, and the positions of its start and its end among those of all queries. */
    private record Answer(String query, String text, int begun, int ended) {
        /**
         * Returns the number of queries that overtook this one. Only those with the same text count, because they have
         * the same amount of work.
         */
        int overtakenBy(List<Answer> all) {
            int count = 0;
            for (Answer other : all) {
                boolean alike = other.query().equals(query);
                count += alike && other.begun() > begun && other.ended() < ended ? 1 : 0;
            }
            return count;
        }
    }

    /** Each query returns a single number, which is the number of rows. */
    private static final List<String> QUERIES = List.of(
            "SELECT count(*) FROM (SELECT s, count(*) FROM t GROUP BY s) g",
            "SELECT count(*) FROM t a JOIN t b ON a.s = b.s",
            "SELECT max(r) FROM (SELECT row_number() OVER (ORDER BY s) r FROM t) w",
            "SELECT max(r) FROM (SELECT count(*) OVER (ORDER BY s, k) r FROM t) w",
            "SELECT count(DISTINCT s) FROM t",
            "SELECT count(*) FROM (SELECT s FROM t UNION SELECT concat(s, '') FROM t) u",
            "SELECT max(k) + 1 FROM (SELECT k FROM t ORDER BY k DESC, s LIMIT 10) o",
            "SELECT count(*) FROM (SELECT k FROM t DISTRIBUTE BY k SORT BY s) d");

    @TempDir
    private Path folder;

    @Test
    void allSpillAndAnswer() throws Exception {
        assertAllAnswer("4mb", 200, 64, QUERIES);
    }

    /**
     * Each query keeps all rows in sorted order and cannot spill them. It needs an eighth of the memory, and there are
     * sixteen queries.
     */
    @Test
    void windowsOverAllRowsAnswer() throws Exception {
        assertAllAnswer(
                "192mb", 400, 16, List.of("SELECT count(n) + 1 FROM (SELECT lead(s) OVER (ORDER BY k) n FROM t) w"));
    }

    /** @param side the square root of the number of rows, which each query returns */
    private void assertAllAnswer(String memory, int side, int sessions, List<String> queries) throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        ServerProcess server = ServerProcess.start(data, Map.of("skep.llap.max-memory", memory));
        String stats = server.uiUrl() + "api/figures";
        try (ReleasedClient client = ReleasedClient.open()) {
            try (Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                String numbers = "(SELECT posexplode(split(space(" + (side - 1) + "), ' ')) AS (i, e))";
                statement.execute("CREATE TABLE t STORED AS ORC AS SELECT a.i * " + side + " + b.i AS k,"
                        + " concat(repeat('x', 40), b.i, '-', a.i) AS s FROM " + numbers + " a CROSS JOIN " + numbers
                        + " b");
            }
            List<Answer> answers = ask(client, server.url(), sessions, queries);
            printOvertaken(answers, sessions * ROUNDS / queries.size());
            String expected = String.valueOf(side * side);
            assertThat(answers)
                    .filteredOn(answer -> !answer.text().equals(expected))
                    .isEmpty();
            ServerProcess.await(() -> NOTHING_RESERVED.matcher(read(stats)).find());
            ServerProcess.await(() -> isEmpty(data.resolve("spill")));
        } finally {
            server.process().destroy();
            server.process().waitFor();
        }
    }

    /** Runs the queries. Each session runs several one after the other, and every kind runs equally often. */
    private static List<Answer> ask(ReleasedClient client, String url, int sessions, List<String> queries)
            throws Exception {
        AtomicInteger clock = new AtomicInteger();
        List<Future<List<Answer>>> pending = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int session = 0; session < sessions; session++) {
                int first = session;
                pending.add(threads.submit(() -> {
                    List<Answer> answers = new ArrayList<>();
                    for (int round = 0; round < ROUNDS; round++) {
                        int begun = clock.getAndIncrement();
                        String query = queries.get((first + 3 * round) % queries.size());
                        String text = ask(client, url, query);
                        answers.add(new Answer(query, text, begun, clock.getAndIncrement()));
                    }
                    return answers;
                }));
            }
        }
        List<Answer> answers = new ArrayList<>();
        for (Future<List<Answer>> one : pending) {
            answers.addAll(one.get());
        }
        return answers;
    }

    /**
     * Prints how many queries of the same kind started later than a query and ended earlier. The average is zero if
     * queries end in the order in which they started, and a quarter of them if they end in random order.
     *
     * @param alike the number of queries with the same text
     */
    private static void printOvertaken(List<Answer> answers, int alike) {
        var overtaken =
                answers.stream().mapToInt(answer -> answer.overtakenBy(answers)).summaryStatistics();
        System.out.println(answers.size() + " queries, " + alike + " of each kind: overtaken by "
                + overtaken.getAverage() + " of their kind on average, by " + overtaken.getMax() + " at most");
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static String read(String url) {
        try (InputStream in = URI.create(url).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the query's answer or its error. */
    private static String ask(ReleasedClient client, String url, String query) {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : "no row";
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
