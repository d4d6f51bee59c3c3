package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.testing.Polling;
import io.skep.itests.client.OlderJava;
import io.skep.itests.server.AuthorizedServer;
import io.skep.itests.server.SparkProcess;
import io.skep.service.flight.FlightServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A server with authorization and Flight SQL, and a Spark whose catalog {@code skep} is that server for ann. */
final class SparkSite implements AutoCloseable {
    static final String PASSWORD = "planted-secret";

    private static final String LOG = "spark.log";

    private final AuthorizedServer server;
    private final Connection root;
    private final SparkProcess spark;
    private final Path folder;
    private final Path log;

    private SparkSite(AuthorizedServer server, Connection root, SparkProcess spark, Path folder) {
        this.server = server;
        this.root = root;
        this.spark = spark;
        this.folder = folder;
        this.log = folder.resolve(LOG);
    }

    /** @param folder deleted with the site */
    static SparkSite start(Path folder) throws Exception {
        AuthorizedServer server =
                AuthorizedServer.start(folder, List.of("root", "ann"), PASSWORD, Map.of("skep.flight.port", "0"));
        Connection root = server.connect("root");
        AuthorizedServer.run(root, "set role admin");
        Map<String, String> settings = new HashMap<>(catalog(server.server().jdbcUrl(), "ann", PASSWORD));
        settings.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
        return new SparkSite(server, root, SparkProcess.start(java(), folder.resolve(LOG), settings), folder);
    }

    /** Returns a Java on which Spark runs. Without one, the test is skipped. */
    static Path java() {
        Optional<Path> java = OlderJava.find();
        assumeTrue(java.isPresent(), "Spark needs Java 17 or 21; .ci/run installs it");
        return java.orElseThrow();
    }

    /** Returns Spark's settings for a catalog {@code skep}. */
    static Map<String, String> catalog(String url, String user, String password) {
        return Map.of(
                "spark.sql.catalog.skep",
                "io.skep.spark.SkepCatalog",
                "spark.sql.catalog.skep.url",
                url,
                "spark.sql.catalog.skep.user",
                user,
                "spark.sql.catalog.skep.password",
                password);
    }

    SparkProcess spark() {
        return spark;
    }

    Connection connect(String user) throws SQLException {
        return server.connect(user);
    }

    /** Runs statements for an admin. */
    void run(String... statements) throws SQLException {
        for (String statement : statements) {
            AuthorizedServer.run(root, statement);
        }
    }

    /** Makes a view of Spark over the data source, for ann. */
    void read(String view, String option, String value) throws IOException {
        spark.run("read " + view + "\turl=" + server.server().jdbcUrl() + "\tuser=ann\tpassword=" + PASSWORD + "\t"
                + option + "=" + value);
    }

    /** Returns the error of the data source for options, with tabs between them. */
    String readError(String options) throws IOException {
        return spark.error("read refused\t" + options);
    }

    String url() {
        return server.server().jdbcUrl();
    }

    /** Returns what Spark has written to its log. */
    String log() throws IOException {
        return Files.readString(log);
    }

    /** Returns a query's rows over JDBC, with tabs between the values. */
    static List<String> byJdbc(Connection connection, String query) throws SQLException {
        return Splits.byJdbc(connection, query).stream()
                .map(values -> String.join("\t", values))
                .toList();
    }

    /** Checks that reads of Spark have left nothing in the server. */
    void assertNothingIsLeft() {
        Polling.await("the end of all reads")
                .until(() -> server.server().flight().orElseThrow().streams().count() == 0
                        && server.server().snapshot().leftovers().isEmpty());
        FlightServer flight = server.server().flight().orElseThrow();
        assertThat(flight.streams().allocator().getAllocatedMemory()).isZero();
        Polling.await("the end of all parts")
                .until(() -> flight.arrivingParts() == 0
                        && flight.arrivingBytes() == 0
                        && temporaryFiles().isEmpty());
    }

    /** The files and folders of temporary tables. */
    private List<Path> temporaryFiles() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("data"))) {
            return all.filter(path -> path.toString().contains("/_tmp_")).toList();
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        try (server;
                root) {
            spark.close();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
