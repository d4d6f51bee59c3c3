package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts of the metastore service on the embedded database, refused starts, and its end. */
@Timeout(300)
final class TestMetastoreCommand {
    private static final int TERMINATED = 143;

    @TempDir
    private Path folder;

    private String refusal(Map<String, String> site, String... arguments) throws IOException {
        Path log = folder.resolve("refused.log");
        Process process = MetastoreProcess.launch(data(), site, log, List.of(arguments));
        ServerProcess.await(() -> !process.isAlive());
        assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(1);
        return Files.readString(log);
    }

    private Path data() throws IOException {
        return Files.createDirectories(folder.resolve("data"));
    }

    @Test
    void theEmbeddedDatabaseServesOneProcessAfterTheOther() throws Exception {
        try (ServerProcess server = ServerProcess.start(data(), Map.of())) {
            assertThat(refusal(Map.of()))
                    .contains("in use by process " + server.process().pid(), "PostgreSQL")
                    .doesNotContain("Exception");
            assertThat(databases(server)).containsExactly("default");
        }
        try (MetastoreProcess service = MetastoreProcess.start(data(), Map.of())) {
            Configuration settings = new Configuration(false);
            MetastoreConf.setVar(settings, ConfVars.THRIFT_URIS, service.uri());
            HiveMetaStoreClient client = new HiveMetaStoreClient(settings);
            client.createDatabase(new Database(
                    "made", null, "file:" + data().resolve("warehouse").resolve("made.db"), new HashMap<>()));
            client.close();
            service.process().destroy();
            assertThat(service.process().waitFor()).isEqualTo(TERMINATED);
        }
        try (ServerProcess server = ServerProcess.start(data(), Map.of())) {
            assertThat(databases(server)).containsExactly("default", "made");
        }
    }

    private static List<String> databases(ServerProcess server) throws Exception {
        List<String> names = new ArrayList<>();
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW DATABASES")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    @Test
    void aDatabaseOfDerbyThatIsInUseIsNamed() throws Exception {
        Path elsewhere = folder.resolve("elsewhere");
        ServerProcess server = ServerProcess.start(Files.createDirectories(elsewhere), Map.of());
        String url = "jdbc:derby:" + elsewhere.resolve("metastore");
        try (server) {
            assertThat(refusal(Map.of("javax.jdo.option.ConnectionURL", url))).contains(url, "PostgreSQL");
        }
    }

    @Test
    void otherMachinesAreRefusedByDefault() throws IOException {
        assertThat(refusal(Map.of(), "--host", "0.0.0.0")).contains("skep.metastore.insecure-listen");
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Map<String, String> site = Map.of("hive.metastore.port", Integer.toString(taken.getLocalPort()));
            assertThat(refusal(site)).contains("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void aMistypedDatabaseIsNamedWithoutItsPassword() throws IOException {
        assertThat(refusal(Map.of(
                        "javax.jdo.option.ConnectionURL", "jdbc:postgresql://127.0.0.1:1/none?password=hidden-one",
                        "javax.jdo.option.ConnectionPassword", "hidden-two")))
                .contains("jdbc:postgresql://127.0.0.1:1/none")
                .doesNotContain("hidden-one", "hidden-two");
    }
}
