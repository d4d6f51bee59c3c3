package io.skep.itests.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.lifecycle.Closer;
import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.hdfs.Queries;
import io.skep.itests.secure.SecureYarn.Outcome;
import io.skep.itests.server.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * Tests daemons and Tez's application masters in containers of a YARN with Kerberos, on an HDFS and a ZooKeeper with
 * Kerberos. All of them are processes of their own.
 */
@Timeout(900)
@EnabledIfSystemProperty(named = "skep.yarn", matches = "all", disabledReason = "-Dskep.yarn=all")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TestSecureYarn {
    /** The user of containers, who for a YARN without users of its own is that of its processes. */
    private static final String USER = System.getProperty("user.name");

    private static final String TEZ_MASTER = "org.apache.tez.dag.app.DAGAppMaster";

    /** Of tickets in containers. */
    private static final Duration LIFE = Duration.ofSeconds(40);

    /** Of delegation tokens, which the resource manager renews until then. */
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

    /** Closed in the reverse order, also after a start that has failed. */
    private static final Closer PARTS = new Closer();

    @TempDir
    private static Path folder;

    private static SecureSite site;
    private static SecureYarn yarn;
    private static Path keytab;
    private static Map<String, String> nobody;
    private static ServerProcess server;
    private static Instant firstTokens;
    private static ReleasedClient client;

    @BeforeAll
    static void start() throws Exception {
        Map<String, String> changes = Map.of(
                "hadoop.security.auth_to_local",
                "RULE:[2:$1](hive)s/hive/" + USER + "/ DEFAULT",
                "dfs.namenode.delegation.token.max-lifetime",
                Long.toString(TOKEN_LIFE.toMillis()),
                "dfs.namenode.delegation.token.renew-interval",
                "60000");
        site = PARTS.own(SecureSite.start(Files.createDirectories(folder.resolve("site")), changes));
        site.hadoop().command("give /user/warehouse " + USER);
        site.hadoop().command("give /user/" + USER + " " + USER);
        yarn = PARTS.own(SecureYarn.start(site, Files.createDirectories(folder.resolve("yarn")), LIFE, changes));
        keytab = site.kdc().keytab("server", SecureSite.SKEP);
        nobody = new HashMap<>(site.kdc().ticket("nobody"));
        nobody.put("KRB5CCNAME", folder.resolve("none").toString());
        Outcome started = yarn.llap(nobody, keytab, "start", "--instances", "1", "--memory", "1gb", "--cores", "1");
        assertThat(started.status()).as(started.output()).isZero();
        Map<String, String> settings = new HashMap<>(site.registered(site.server(keytab)));
        settings.putAll(yarn.settings());
        settings.put("tez.local.mode", "false");
        settings.put("tez.am.resource.memory.mb", "512");
        server = PARTS.own(ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                settings,
                SecureSite.with(site.kdc().conf())));
        client = PARTS.own(ReleasedClient.open());
        firstTokens = Instant.now();
    }

    @AfterAll
    static void stop() {
        PARTS.close();
    }

    @Test
    @Order(1)
    void daemonsAndMastersInContainersAnswer() throws Exception {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT, b STRING) STORED AS ORC");
            statement.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y')");
            for (String scheduler : List.of("direct", "tez")) {
                statement.execute("SET skep.scheduler=" + scheduler);
                statement.execute("INSERT INTO t SELECT a + 10, b FROM t");
                assertThat(Queries.rows(statement, "SELECT count(*), count(DISTINCT b) FROM t WHERE a > 0"))
                        .containsExactly((scheduler.equals("direct") ? 4 : 8) + " 2");
            }
        }
        for (String main : List.of(TEZ_MASTER, "yarn.MasterMain", "yarn.ContainerMain")) {
            assertThat(yarn.processes().processes(main))
                    .isNotEmpty()
                    .noneMatch(
                            process -> process.info().commandLine().orElse("").contains("keytab"));
        }
        assertThat(site.hadoop().command("owner /user/warehouse/t")).isEqualTo(USER);
    }

    @Test
    @Order(2)
    void commandsNeedAKeytabOrATicketOfTheSameUser() throws Exception {
        Path missing = folder.resolve("not-here.keytab");
        Outcome refused = yarn.llap(nobody, missing, "status");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output())
                .contains("this command cannot log in: hive.llap.daemon.keytab.file '" + missing)
                .contains("has no valid ticket of Kerberos")
                .contains("run kinit");
        Outcome another = yarn.llap(site.kdc().ticket("ann"), missing, "status");
        assertThat(another.status()).isEqualTo(1);
        assertThat(another.output()).contains("the ticket is of the user ann").contains("who is " + USER);
        Outcome person = yarn.llap(site.kdc().ticket(USER), missing, "status");
        assertThat(person.status()).as(person.output()).isZero();
        assertThat(person.output()).contains("1 of 1 daemons ready");
    }

    /** In a process that has the ticket of somebody else. */
    @Test
    @Order(2)
    void theDoctorAsksYarnAsTheServer() throws Exception {
        Outcome told = yarn.doctor(folder.resolve("data.conf"));
        assertThat(told.output())
                .contains("answers, with 1 nodes")
                .contains("secure: 1 of 1 daemons are ready")
                .contains("YARN takes application masters in default");
    }

    @Test
    @Order(2)
    void tasksInContainersAreRefused() throws Exception {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("SET hive.execution.mode=container");
            assertThatThrownBy(() -> Queries.rows(statement, "SELECT sum(a) FROM t"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("tasks do not run in containers of a YARN with Kerberos");
        }
    }

    /** Nobody can renew the tokens of the start any more when this test ends. */
    @Test
    @Order(3)
    void everythingOutlivesItsTokens() throws Exception {
        List<ProcessHandle> first = yarn.processes().processes(TEZ_MASTER);
        Instant end = firstTokens.plus(TOKEN_LIFE);
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE outlived (a INT)");
            Polling.await("the end of all tokens")
                    .atMost(TOKEN_LIFE.multipliedBy(2))
                    .pollInterval(Duration.ofSeconds(3))
                    .until(() -> {
                        for (String scheduler : List.of("direct", "tez")) {
                            statement.execute("SET skep.scheduler=" + scheduler);
                            statement.execute("INSERT INTO outlived SELECT count(*) FROM outlived");
                        }
                        assertThat(Queries.rows(statement, "SELECT count(*) - max(a) FROM outlived"))
                                .containsExactly("1");
                        return Instant.now().isAfter(end) && first.stream().noneMatch(ProcessHandle::isAlive);
                    });
            Outcome more = yarn.llap(nobody, keytab, "resize", "--instances", "2");
            assertThat(more.status()).as(more.output()).isZero();
            assertThat(Queries.rows(statement, "SELECT count(*) FROM t WHERE a > 0"))
                    .containsExactly("8");
        }
    }
}
