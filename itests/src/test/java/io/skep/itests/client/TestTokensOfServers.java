package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.itests.server.ServerPair;
import io.skep.itests.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Delegation tokens of two servers on one PostgreSQL database, with Kerberos and the released Beeline. */
@Timeout(300)
final class TestTokensOfServers {
    @TempDir
    private static Path folder;

    private static String answer(Map<String, String> environment, String url) throws Exception {
        return ReleasedBeeline.run(
                        environment,
                        DelegationTokenClient.urlOf(url),
                        "select 'user', current_user();\n",
                        "--outputformat=csv2",
                        "--showHeader=false")
                .output();
    }

    private static long count(ServerPair servers, String table) throws SQLException {
        try (Connection connection = servers.database().getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM \"" + table + "\"")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void aTokenOfOneIsThatOfTheOther() throws Exception {
        try (TicketOffice kdc = new TicketOffice(Files.createDirectories(folder.resolve("kdc")))) {
            Map<String, String> site = new HashMap<>(kdc.server());
            site.put(
                    "hive.cluster.delegation.token.store.class",
                    "org.apache.hadoop.hive.metastore.security.DBTokenStore");
            Map<String, String> ann = kdc.ticket("ann");
            try (ServerPair servers = new ServerPair(folder, site)) {
                String token = DelegationTokenClient.get(ann, servers.one().url(), "ann", "ann");
                Map<String, String> task = kdc.task(token);
                assertThat(answer(task, servers.other().url())).contains("user,ann");
                assertThat(change(ann, servers.other().url(), "renew", token)).contains("done");
                servers.one().process().destroyForcibly().waitFor();
                servers.startOneAgain();
                assertThat(answer(task, servers.one().url())).contains("user,ann");
                assertThat(count(servers, "DELEGATION_TOKENS")).isEqualTo(1);
                assertThat(count(servers, "MASTER_KEYS")).isPositive();
                assertThat(change(ann, servers.one().url(), "cancel", token)).contains("done");
                assertThat(count(servers, "DELEGATION_TOKENS")).isZero();
                assertThat(answer(task, servers.other().url())).doesNotContain("user,");
                assertThat(change(ann, servers.other().url(), "renew", token)).doesNotContain("done");
            }
        }
    }

    /** Hive's library cannot write Derby's table of keys. */
    @Test
    void derbyIsRefused() throws Exception {
        try (TicketOffice kdc = new TicketOffice(Files.createDirectories(folder.resolve("other")))) {
            Map<String, String> site = new HashMap<>(kdc.server());
            site.put(
                    "hive.cluster.delegation.token.store.class",
                    "org.apache.hadoop.hive.metastore.security.DBTokenStore");
            assertThatThrownBy(() -> TestServer.start(site).close())
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                    .hasMessageContaining("DBTokenStore needs a metastore database");
        }
    }

    private static String change(Map<String, String> environment, String url, String what, String token)
            throws Exception {
        return ReleasedBeeline.run(environment, DelegationTokenClient.class, url, what, token)
                .output();
    }
}
