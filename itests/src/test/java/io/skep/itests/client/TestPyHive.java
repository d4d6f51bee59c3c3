package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.config.SettingsReader;
import io.skep.common.testing.SelfSigned;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.http.HttpConfig;
import io.skep.service.http.HttpServer;
import io.skep.service.wire.ThriftConfig;
import io.skep.service.wire.ThriftServer;
import io.skep.service.wire.WireServices;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the released PyHive over SASL, plain Thrift and HTTP. The tests are skipped where no Python installation
 * contains it.
 */
@ExtendWith(SharedServer.class)
final class TestPyHive {
    private static final Path PYTHON = Path.of(System.getProperty("skep.python", "python"));

    @BeforeEach
    void pythonIsThere() {
        assumeTrue(Files.isExecutable(PYTHON), PYTHON + " with PyHive; bin/test makes it");
    }

    @Test
    void overSasl(TestServer server) throws Exception {
        passes(server.port(), "NONE");
    }

    /** Opens a second endpoint to the same sessions. A process has one metastore, and so only one server. */
    @Test
    void overPlainThrift(TestServer server) throws Exception {
        ThriftConfig config = ThriftConfig.of(new SettingsReader(Map.of("hive.server2.authentication", "NOSASL")));
        try (ThriftServer plain = new ThriftServer(
                InetAddress.getLoopbackAddress(),
                0,
                new WireServices(
                        server.server().sessions(),
                        server.server().catalog(),
                        config,
                        ClientAuthentication.open(config.authentication(), new Configuration(false)),
                        new Configuration(false)))) {
            plain.start();
            passes(plain.port(), "NOSASL");
        }
    }

    @Test
    void overHttp(TestServer server) throws Exception {
        overHttp(server, Map.of(), "http");
    }

    @Test
    void overEncryptedHttp(TestServer server, @TempDir Path folder) throws Exception {
        Path keystore = SelfSigned.make(folder.resolve("server.p12")).file();
        Map<String, String> encrypted = Map.of(
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                keystore.toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD);
        overHttp(server, encrypted, "https");
    }

    private static void overHttp(TestServer server, Map<String, String> site, String scheme) throws Exception {
        Map<String, String> settings = new HashMap<>(site);
        settings.put("hive.server2.thrift.http.port", "0");
        SettingsReader reader = new SettingsReader(settings);
        Configuration hadoop = new Configuration(false);
        settings.forEach(hadoop::set);
        ThriftConfig config = ThriftConfig.of(reader);
        WireServices services = new WireServices(
                server.server().sessions(),
                server.server().catalog(),
                config,
                ClientAuthentication.open(config.authentication(), hadoop),
                hadoop);
        try (HttpServer http = new HttpServer(
                InetAddress.getLoopbackAddress(), HttpConfig.of(reader), services, InstantSource.system())) {
            http.start();
            passes(http.port(), "NONE", scheme);
        }
    }

    private static void passes(int port, String... options) throws Exception {
        Path script = ReleasedJars.home().resolve("itests/src/test/python/test_pyhive.py");
        List<String> command =
                new ArrayList<>(List.of(PYTHON.toString(), script.toString(), "127.0.0.1", Integer.toString(port)));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output.lines())
                    .contains(
                            "ok cursors",
                            "ok types",
                            "ok parameters",
                            "ok errors",
                            "ok asynchronous",
                            "ok cancel",
                            "ok settings");
        } finally {
            process.destroyForcibly();
        }
    }
}
