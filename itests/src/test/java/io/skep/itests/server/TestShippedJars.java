package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs functions from a session's jars in a daemon that receives the jars from the server. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestShippedJars {
    /** Makes the jar longer than one chunk of the upload. */
    private static final int PADDING_BYTES = 700_000;

    private Optional<StartedDaemon> daemon = Optional.empty();
    private Optional<ServerProcess> server = Optional.empty();
    private Path folder = Path.of("unknown");
    private Path kept = Path.of("unknown");

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        folder = given;
        Path data = folder.resolve("daemon");
        kept = data.resolve("spill-jars");
        daemon = Optional.of(StartedDaemon.start(data, Map.of("hive.llap.daemon.num.executors", "2")));
        server = Optional.of(ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                Map.of("skep.llap.daemons", daemon.get().endpoint())));
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.get().url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE words (w STRING) STORED AS ORC");
            statement.execute("INSERT INTO words VALUES ('one'), ('two'), ('three')");
        }
    }

    @AfterAll
    void stop() throws InterruptedException {
        for (Process process :
                List.of(server.orElseThrow().process(), daemon.orElseThrow().process())) {
            process.destroy();
            assertThat(process.waitFor()).isIn(0, 143);
        }
    }

    /** Returns a jar with a function that prepends a text to its argument. */
    private Path jar(String name, String text) throws IOException {
        return TaggingJar.make(Files.createDirectories(folder.resolve(name)), text, PADDING_BYTES);
    }

    private static String longest(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT max(tagged(w)) FROM words WHERE length(w) > 3")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(kept)) {
            return files.toList();
        }
    }

    private static void add(Statement statement, Path jar) throws SQLException {
        statement.execute("ADD JAR " + jar);
        statement.execute("CREATE TEMPORARY FUNCTION tagged AS '" + TaggingJar.CLASS + "'");
    }

    /**
     * The same class name in two sessions means two functions. A jar is sent once, no matter how many statements use
     * it.
     */
    @Test
    void eachSessionHasItsOwn() throws Exception {
        Path first = jar("first", "1-");
        Path second = jar("second", "2-");
        try (ReleasedClient client = ReleasedClient.open();
                Connection one = client.connect(server.orElseThrow().url());
                Connection other = client.connect(server.orElseThrow().url());
                Statement oneStatement = one.createStatement();
                Statement otherStatement = other.createStatement()) {
            add(oneStatement, first);
            for (String scheduler : List.of("direct", "tez", "direct")) {
                oneStatement.execute("SET skep.scheduler=" + scheduler);
                assertThat(longest(oneStatement)).as(scheduler).isEqualTo("1-three");
            }
            assertThat(kept())
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasSameBinaryContentAs(first));
            add(otherStatement, second);
            assertThat(longest(otherStatement)).isEqualTo("2-three");
            assertThat(longest(oneStatement)).isEqualTo("1-three");
            assertThat(kept()).hasSize(2);
            // A later change of the source file does not change the copy that the daemon has received.
            Files.copy(second, first, StandardCopyOption.REPLACE_EXISTING);
            assertThat(longest(otherStatement)).isEqualTo("2-three");
            assertThat(kept()).hasSize(2);
        }
        assertThat(daemon.orElseThrow().leftovers()).isEmpty();
    }
}
