package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Compares what driver 4.0.1 answers to every method of DatabaseMetaData with a committed table of what it answers
 * when it is connected to Apache Hive 4.0.1. With {@code -Dskep.hive.url=URL} of such a Hive the test writes the table.
 */
final class TestDatabaseMetadata {
    private static final Path FOLDER = ReleasedJars.home().resolve("itests/src/test/metadata");
    private static final Path HIVE = FOLDER.resolve("hive-4.0.1.txt");

    /** Where Skep answers otherwise: lines of Hive that are missing with a minus, and further ones with a plus. */
    private static final Path DIFFERENCES = FOLDER.resolve("differences.txt");

    private static List<String> answers(String url) throws Exception {
        try (DriverSession session = DriverSession.open(ReleasedDriver.HIVE_4_0, url, MetadataAnswers.DATABASE)) {
            session.execute(MetadataAnswers.TABLES.toArray(String[]::new));
            return MetadataAnswers.ask(session.connection());
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.startsWith("#") && !line.isEmpty())
                .toList();
    }

    @Test
    @EnabledIfSystemProperty(named = "skep.hive.url", matches = ".+")
    void writesTheTable() throws Exception {
        List<String> answers = answers(System.getProperty("skep.hive.url"));
        Files.write(HIVE, answers.stream().sorted().toList());
        assertThat(answers).hasSizeGreaterThan(MetadataAnswers.methods().size());
    }

    @Test
    @ExtendWith(SharedServer.class)
    void everyMethodAnswersAsHive(TestServer server) throws Exception {
        List<String> further = new ArrayList<>(answers(server.jdbcUrl()));
        List<String> missing = new ArrayList<>();
        for (String line : lines(HIVE)) {
            if (!further.remove(line)) {
                missing.add("- " + line);
            }
        }
        List<String> differences = new ArrayList<>(missing);
        further.forEach(line -> differences.add("+ " + line));
        assertThat(differences).containsExactlyInAnyOrderElementsOf(lines(DIFFERENCES));
    }

    /** The table holds a line for each method of the interface. */
    @Test
    void theTableHasEveryMethod() throws IOException {
        List<String> table = lines(HIVE);
        assertThat(MetadataAnswers.methods())
                .hasSizeGreaterThan(170)
                .allMatch(method -> table.stream().anyMatch(line -> line.startsWith(method.getName() + "(")));
    }
}
