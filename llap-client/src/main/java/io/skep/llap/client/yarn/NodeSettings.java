package io.skep.llap.client.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Reads the settings of node managers from the page {@code /conf} that each Hadoop server has. YARN's protocols do not
 * tell which services a node has.
 */
public final class NodeSettings implements AutoCloseable {
    private static final Duration LONGEST_CALL = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(LONGEST_CALL)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private final String scheme;

    public NodeSettings(Configuration site) {
        this.scheme = YarnConfiguration.useHttps(site) ? "https" : "http";
    }

    /**
     * Reads a setting of one node. Waits for some seconds at most.
     *
     * @return empty when the node has no such setting
     * @throws SkepException YARN_ERROR when the node does not answer
     */
    public Optional<String> find(YarnNode node, String name) {
        if (node.pages().isEmpty()) {
            throw silent(node, "it has no web pages");
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(scheme + "://" + node.pages() + "/conf?name=" + name))
                .header("Accept", "application/xml")
                .timeout(LONGEST_CALL)
                .build();
        try {
            HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
            return switch (answer.statusCode()) {
                case OK -> Optional.ofNullable(value(answer.body(), name));
                case NOT_FOUND -> Optional.empty();
                default -> throw silent(node, "its page /conf answers with status " + answer.statusCode());
            };
        } catch (IOException e) {
            throw silent(node, "its page /conf cannot be read: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent(node, "interrupted");
        }
    }

    private static String value(byte[] xml, String name) {
        Configuration told = new Configuration(false);
        told.addResource(new ByteArrayInputStream(xml));
        return told.get(name);
    }

    private static SkepException silent(YarnNode node, String why) {
        return new SkepException(
                StandardErrorCode.YARN_ERROR, "the node " + node.name() + " does not tell its settings: " + why);
    }

    @Override
    public void close() {
        client.close();
    }
}
