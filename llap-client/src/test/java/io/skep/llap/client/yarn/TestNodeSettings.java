package io.skep.llap.client.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests nodes that answer in each way. A real node is tested where queries run in containers. */
final class TestNodeSettings {
    private static final String NAME = "yarn.nodemanager.aux-services";

    private final HttpServer server;
    private final NodeSettings settings = new NodeSettings(new Configuration(false));

    TestNodeSettings() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void close() {
        settings.close();
        server.stop(0);
    }

    private YarnNode node(int status, String body) {
        server.createContext("/conf", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return new YarnNode("n1:1", "localhost:" + server.getAddress().getPort(), 1024);
    }

    private void assertSilent(YarnNode node, String why) {
        assertThatThrownBy(() -> settings.find(node, NAME)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.YARN_ERROR);
            assertThat(e.getMessage()).contains("n1:1", why);
        });
    }

    @Test
    void nodeTells() {
        YarnNode node = node(
                200,
                "<configuration><property><name>" + NAME
                        + "</name><value>spark,mapreduce_shuffle</value></property></configuration>");
        assertThat(settings.find(node, NAME)).contains("spark,mapreduce_shuffle");
    }

    @Test
    void nodeThatHasNoSuchSetting() {
        assertThat(settings.find(node(404, "not found"), NAME)).isEmpty();
    }

    @Test
    void nodesThatDoNotTell() {
        YarnNode refusing = node(401, "authentication required");
        assertSilent(refusing, "401");
        assertSilent(new YarnNode("n1:1", "", 1024), "no web pages");
        server.stop(0);
        assertSilent(refusing, "cannot be read");
    }
}
