package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.SelfSigned;
import io.skep.service.flight.FlightQuery;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The port of Flight SQL with TLS, and without it beyond the loopback. Clients have no login here. */
@Timeout(120)
final class TestEncryptedFlight {
    @TempDir
    private Path folder;

    private SkepServer start(Map<String, String> site) {
        Map<String, String> settings = new HashMap<>(site);
        settings.put("skep.flight.port", "0");
        return SkepServer.start(new ServerOptions(0, 0, folder.resolve("data"), settings));
    }

    private static String answer(URI location, Optional<Path> trust) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new FlightQuery(location, Optional.empty(), trust)
                .write("select 1 as one, current_user() as who", FlightQuery.Format.CSV, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void rowsAreEncryptedWithTheServersKey() throws Exception {
        SelfSigned key = SelfSigned.makeRsa(folder.resolve("server.p12"));
        Path certificate = folder.resolve("certificate.pem");
        key.writePem(folder.resolve("key.pem"), certificate);
        Map<String, String> site = Map.of(
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                key.file().toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD);
        try (SkepServer server = start(site)) {
            URI location = server.flight().orElseThrow().location();
            assertThat(location.getScheme()).isEqualTo("grpc+tls");
            assertThat(answer(location, Optional.of(certificate))).isEqualTo("one,who\n1,anonymous\n");
            URI plain = URI.create("grpc+tcp://127.0.0.1:" + location.getPort());
            assertThatThrownBy(() -> answer(plain, Optional.empty())).isInstanceOf(SkepException.class);
            assertThatThrownBy(() -> answer(location, Optional.empty())).isInstanceOf(SkepException.class);
        }
    }

    @Test
    void beyondTheLoopbackItNeedsACertificate() {
        Map<String, String> site =
                Map.of("hive.server2.thrift.bind.host", "0.0.0.0", "skep.server.insecure-listen", "true");
        assertThatThrownBy(() -> start(site)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
            assertThat(e).hasMessageContaining("needs a certificate");
        });
    }
}
