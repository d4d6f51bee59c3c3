package io.skep.itests.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedBeeline;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.hdfs.Queries;
import io.skep.itests.server.MetastoreProcess;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.StartedDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a server and a daemon in processes of their own, whose tables are on an HDFS with Kerberos and that find each
 * other in a ZooKeeper with Kerberos. Their tickets live for some seconds.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TestSecureHadoop {
    private static final Duration LIFE = Duration.ofSeconds(16);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final String RENEWED = "has a new ticket for Hadoop";
    private static final Pattern END = Pattern.compile("gets no new ticket .* ends at (\\S+):");

    @TempDir
    private static Path folder;

    private static SecureSite site;
    private static Path keytab;
    private static ServerProcess server;
    private static StartedDaemon daemon;
    private static ReleasedClient client;

    @BeforeAll
    static void start() throws Exception {
        site = SecureSite.start(Files.createDirectories(folder.resolve("site")));
        OpenNodes.create(site.zooKeeper());
        keytab = site.kdc().keytab("server", SecureSite.SKEP);
        Path copy = Files.copy(keytab, folder.resolve("daemon.keytab"), StandardCopyOption.COPY_ATTRIBUTES);
        List<String> within = SecureSite.with(site.kdc().conf(LIFE));
        Map<String, String> settings = new HashMap<>(site.settings());
        settings.put("hive.llap.daemon.service.principal", SecureSite.SKEP);
        settings.put("hive.llap.daemon.keytab.file", copy.toString());
        daemon = StartedDaemon.start(within, folder.resolve("daemon"), 0, site.registered(settings));
        server = ServerProcess.start(
                Files.createDirectories(folder.resolve("data")), site.registered(site.server(keytab)), within);
        client = ReleasedClient.open();
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
        daemon.close();
        site.close();
    }

    private static String serverLog() throws IOException {
        return Files.readString(folder.resolve("data.log"));
    }

    @Test
    @Order(1)
    void tablesBelongToTheServersUser() throws Exception {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT, b STRING) PARTITIONED BY (p INT) STORED AS ORC");
            statement.execute("INSERT INTO t PARTITION (p) VALUES (1, 'x', 1), (2, 'y', 2)");
            for (String scheduler : List.of("direct", "tez")) {
                statement.execute("SET skep.scheduler=" + scheduler);
                statement.execute("INSERT INTO t PARTITION (p) SELECT a + 10, b, p FROM t");
                assertThat(Queries.rows(statement, "SELECT count(*), count(DISTINCT p) FROM t WHERE a > 0"))
                        .containsExactly((scheduler.equals("direct") ? 4 : 8) + " 2");
            }
            statement.execute("CREATE TABLE l (a INT)");
            statement.execute("INSERT OVERWRITE DIRECTORY '/user/hive/out' SELECT a FROM t WHERE p = 1");
            statement.execute("LOAD DATA INPATH '/user/hive/out' INTO TABLE l");
            assertThat(Queries.rows(statement, "SELECT count(*) FROM l")).containsExactly("4");
            assertThat(site.hadoop().command("owner /user/warehouse/t/p=1")).isEqualTo("hive");
            statement.execute("DROP TABLE l");
            assertThat(site.hadoop().command("owner /user/hive/.Trash/Current/user/warehouse/l"))
                    .isEqualTo("hive");
        }
        try (FileSystem anonymous = site.hadoop().client()) {
            assertThatThrownBy(() -> anonymous.listStatus(new org.apache.hadoop.fs.Path("/user/warehouse")))
                    .as("HDFS accepts tickets only")
                    .hasMessageContaining("SIMPLE authentication is not enabled");
        }
    }

    /** Statements go on while the tickets of both processes are replaced twice. */
    @Test
    @Order(2)
    void ticketsAreRenewed() throws Exception {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE renewed (a INT)");
            Polling.await("two new tickets of both")
                    .atMost(PATIENCE)
                    .pollInterval(PAUSE)
                    .until(() -> {
                        statement.execute("INSERT INTO renewed SELECT count(*) FROM renewed");
                        assertThat(Queries.rows(statement, "SELECT count(*) - max(a) FROM renewed"))
                                .containsExactly("1");
                        return renewals(serverLog()) >= 2 && renewals(Files.readString(daemon.log())) >= 2;
                    });
        }
    }

    private static long renewals(String log) {
        return log.lines().filter(line -> line.contains(RENEWED)).count();
    }

    @Test
    @Order(3)
    void aServerWithoutItsKeysGoesOnUntilItsTicketEnds() throws Exception {
        Path away = keytab.resolveSibling("away");
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            long before = renewals(serverLog());
            Polling.await("a new ticket").atMost(PATIENCE).until(() -> renewals(serverLog()) > before);
            Files.move(keytab, away);
            statement.execute("CREATE TABLE without_keys (a INT)");
            Polling.await("a failure").atMost(PATIENCE).pollInterval(PAUSE).until(() -> fails(statement));
            Matcher noted = END.matcher(serverLog());
            assertThat(noted.find()).as(serverLog()).isTrue();
            assertThat(Instant.now()).isAfterOrEqualTo(Instant.parse(noted.group(1)));
            assertThat(serverLog())
                    .contains("has no ticket for Hadoop any more")
                    .contains(keytab + "', which does not exist");
        } finally {
            Files.move(away, keytab);
        }
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            Polling.await("a table").atMost(PATIENCE).until(() -> !fails(statement));
        }
    }

    /** Whether a statement that changes folders fails. It may only fail since there is no ticket. */
    private static boolean fails(Statement statement) {
        try {
            statement.execute("CREATE TABLE IF NOT EXISTS probe (a INT)");
            statement.execute("DROP TABLE probe");
            return false;
        } catch (SQLException e) {
            assertThat(e.getMessage()).contains("the process has no valid ticket of Kerberos");
            return true;
        }
    }

    @Test
    void nodesInZooKeeperBelongToTheServersUser() throws Exception {
        try (Connection connection = client.connect("jdbc:hive2://" + site.zooKeeper()
                        + "/default;serviceDiscoveryMode=zooKeeper;zooKeeperNamespace=hiveserver2");
                Statement statement = connection.createStatement()) {
            assertThat(Queries.rows(statement, "SELECT 1"))
                    .as("found without a ticket")
                    .containsExactly("1");
        }
        OpenNodes.areClosed(site.zooKeeper(), keytab.toString());
    }

    @Test
    void aServerWithoutKeysDoesNotStart() throws Exception {
        Path other = site.kdc().keytab("other", "other/localhost@EXAMPLE.ORG");
        Path data = Files.createDirectories(folder.resolve("refused"));
        assertThatThrownBy(() -> ServerProcess.start(
                        data, site.server(other), SecureSite.with(site.kdc().conf())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("hive.server2.authentication.kerberos.keytab is '" + other
                        + "', which has no key for " + SecureSite.SKEP);
    }

    /** The metastore service makes and deletes folders of tables. Its clients have no tickets here. */
    @Test
    @EnabledIfSystemProperty(named = "skep.secure", matches = "all")
    void theMetastoreServiceLogsInToo() throws Exception {
        Map<String, String> settings = new HashMap<>(site.settings());
        settings.put("hive.metastore.warehouse.dir", "/user/hive/third");
        settings.put("hive.metastore.kerberos.principal", SecureSite.SKEP);
        settings.put("hive.metastore.kerberos.keytab.file", keytab.toString());
        Path data = Files.createDirectories(folder.resolve("third"));
        try (MetastoreProcess service = MetastoreProcess.start(
                data, settings, SecureSite.with(site.kdc().conf()))) {
            Configuration client = new Configuration(false);
            MetastoreConf.setVar(client, ConfVars.THRIFT_URIS, service.uri());
            try (HiveMetaStoreClient metastore = new HiveMetaStoreClient(client)) {
                metastore.createDatabase(new Database("d", "", "/user/hive/third/d.db", Map.of()));
                assertThat(site.hadoop().command("owner /user/hive/third/d.db")).isEqualTo("hive");
                metastore.dropDatabase("d");
            }
        }
    }

    /** Clients with tickets log in to a server that itself logs in to HDFS. */
    @Test
    void clientsHaveTicketsToo() throws Exception {
        Map<String, String> settings = new HashMap<>(site.server(keytab));
        settings.put("hive.server2.authentication", "KERBEROS");
        settings.put("hive.metastore.warehouse.dir", "/user/hive/second");
        Path data = Files.createDirectories(folder.resolve("second"));
        try (ServerProcess second =
                ServerProcess.start(data, settings, SecureSite.with(site.kdc().conf()))) {
            String script = """
                    create table t (a int) stored as parquet;
                    insert into t values (1), (2);
                    select 'rows', sum(a), current_user() from t;
                    drop table t;
                    """;
            assertThat(ReleasedBeeline.run(site.kdc().ticket("ann"), second.url(), script, "--outputformat=csv2")
                            .output())
                    .contains("rows,3,ann");
        }
    }
}
