package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class TestReleasedClients {
    @Test
    void theDriverIsTheReleasedOneAndApartFromTheServer() throws Exception {
        try (ReleasedClient client = ReleasedClient.open()) {
            assertThat(client.driver().getMajorVersion()).isEqualTo(4);
            assertThat(client.driver().getMinorVersion()).isEqualTo(2);
            assertThat(client.driver().getClass().getClassLoader())
                    .isNotSameAs(getClass().getClassLoader());
        }
        assertThatThrownBy(() -> Class.forName("org.apache.hive.jdbc.HiveDriver"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void theDriverSaysThatNoServerListens() throws Exception {
        try (ReleasedClient client = ReleasedClient.open()) {
            assertThatThrownBy(() -> client.connect(urlOfNoServer()))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState().trim()).isEqualTo("08S01"));
        }
    }

    @Test
    void beelineRunsWithoutTerminal() throws Exception {
        ReleasedBeeline.Result result = ReleasedBeeline.run(urlOfNoServer(), "");
        assertThat(result.output()).contains("Connection refused");
    }

    private static String urlOfNoServer() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "jdbc:hive2://127.0.0.1:" + socket.getLocalPort() + "/default;auth=noSasl";
        }
    }
}
