package io.skep.webui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TestWebServer {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static final int AT_ONCE = 50;

    private final HttpClient client = HttpClient.newHttpClient();
    private WebServer server = WebServer.start(LOOPBACK, 0, List.of("skep.example"));

    @BeforeEach
    void show() {
        server.show(new ConstantView());
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    @Test
    void pageTakesNothingFromElsewhere() throws Exception {
        HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .contains("default-src 'self'; frame-ancestors 'none'");
        assertThat(page.body()).contains("<title>Skep</title>").doesNotContain("http://", "https://");
    }

    @Test
    void everyFileThatThePageNamesIsServed() throws Exception {
        Pattern.compile("(?:href|src)=\"([^\"]+)\"")
                .matcher(get("/index.html").body())
                .results()
                .map(match -> get("/" + match.group(1)))
                .forEach(file -> assertThat(file.statusCode()).isEqualTo(200));
        assertThat(get("/page.js").body()).contains("api/");
    }

    @Test
    void scriptUsesOnlyElementsOfThePage() {
        String page = get("/index.html").body();
        assertThat(Pattern.compile("(?:\\$|rows)\\('([a-z-]+)'")
                        .matcher(get("/page.js").body())
                        .results()
                        .map(match -> match.group(1)))
                .isNotEmpty()
                .allSatisfy(id -> assertThat(page).contains("id=\"" + id + "\""));
    }

    @Test
    void viewsAreJson() throws Exception {
        assertThat(json("/api/overview").get("jdbcUrl").asText()).isEqualTo("jdbc:hive2://127.0.0.1:10000/default");
        assertThat(json("/api/sessions").get(0).get("user").asText()).isEqualTo("ann");
        assertThat(json("/api/queries").get(0).get("text").asText()).isEqualTo("select '<b>'");
        assertThat(json("/api/figures").get(0).get("unit").asText()).isEqualTo("BYTES");
        assertThat(json("/api/settings").get(0).get("source").asText()).isEqualTo("site file");
        JsonNode detail = json("/api/queries/q_1");
        assertThat(detail.get("query").get("id").asText()).isEqualTo("q_1");
        assertThat(detail.get("fragments").get(0).get("outputRows").asLong()).isEqualTo(1);
    }

    @Test
    void unknownAddressesAreNotFound() {
        assertThat(get("/api/queries/other").statusCode()).isEqualTo(404);
        assertThat(get("/api/nothing").statusCode()).isEqualTo(404);
        assertThat(get("/../ServerView.class").statusCode()).isGreaterThanOrEqualTo(400);
        assertThat(get("/ServerView.class").statusCode()).isEqualTo(404);
    }

    @Test
    void saysThatItStarts() throws Exception {
        server.close();
        server = WebServer.start(LOOPBACK, 0, List.of("skep.example"));
        HttpResponse<String> answer = get("/api/overview");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("starts");
        assertThat(get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void portInUseIsSaid() {
        assertThatThrownBy(() ->
                        WebServer.start(LOOPBACK, server.port(), List.of()).close())
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
    }

    /** Sends methods, hosts and sizes to the port unchanged. */
    @Test
    void onlyReadingUnderOwnNamesIsServed() throws Exception {
        assertThat(status("GET / HTTP/1.1\r\nHost: localhost:1\r\n")).isEqualTo(200);
        assertThat(status("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")).isEqualTo(200);
        assertThat(status("GET / HTTP/1.1\r\nHost: [::1]:10002\r\n")).isEqualTo(200);
        assertThat(status("GET / HTTP/1.1\r\nHost: Skep.Example\r\n")).isEqualTo(200);
        assertThat(status("HEAD / HTTP/1.1\r\nHost: localhost\r\n")).isEqualTo(200);
        for (String host : List.of("evil.example", "localhost.evil.example", "10.0.0.1.evil.example", "bad.cafe")) {
            assertThat(status("GET /api/queries HTTP/1.1\r\nHost: " + host + "\r\n"))
                    .as(host)
                    .isEqualTo(421);
        }
        for (String method : List.of("TRACE", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")) {
            assertThat(status(method + " / HTTP/1.1\r\nHost: localhost\r\n"))
                    .as(method)
                    .isEqualTo(405);
        }
        assertThat(status("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n"))
                .isEqualTo(414);
        assertThat(status("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n"))
                .isEqualTo(431);
        assertThat(status("GET / HTTP/1.1\r\n")).isEqualTo(400);
    }

    /** Data from users appears in the page only as text: queries, names, settings, errors. */
    @Test
    void scriptMakesNoMarkupOfData() {
        assertThat(get("/page.js").body())
                .contains("textContent")
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(");
        HttpResponse<String> queries = get("/api/queries");
        assertThat(queries.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(queries.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    }

    @Test
    void idsThatNobodyGaveAreNotFoundAndNotRepeated() {
        String script = "%3Cscript%3Ealert(1)%3C%2Fscript%3E";
        for (String id : List.of("x".repeat(4_000), script, "%0d%0aX-Injected:%201", "..%2f..%2fq_1", "q_1%00")) {
            HttpResponse<String> answer = get("/api/queries/" + id);
            assertThat(answer.statusCode()).as(id).isBetween(400, 499);
            assertThat(answer.body()).doesNotContain("<script>");
            assertThat(answer.headers().firstValue("X-Injected")).isEmpty();
        }
    }

    /** -Dskep.web.requests=100000 makes this a load test. */
    @Test
    void manyRequestsLeaveNothing() throws Exception {
        int requests = Integer.getInteger("skep.web.requests", 3_000);
        long before = heapBytes();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            URI uri = URI.create("http://" + LOOPBACK.getHostAddress() + ":" + server.port() + "/api/queries");
            answers.add(client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()));
            if (answers.size() == AT_ONCE) {
                answers.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
                answers.clear();
            }
        }
        answers.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
        answers.clear();
        assertThat(heapBytes() - before).isLessThan(16 << 20);
    }

    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private int status(String head) throws IOException {
        try (Socket socket = new Socket(LOOPBACK, server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            return Integer.parseInt(answer.substring("HTTP/1.1 ".length()));
        }
    }

    private JsonNode json(String path) throws IOException {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    private HttpResponse<String> get(String path) {
        URI uri = URI.create("http://" + LOOPBACK.getHostAddress() + ":" + server.port() + path);
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .join();
    }

    /** A server whose state does not change. */
    private static final class ConstantView implements ServerView {
        private static final QueryView QUERY =
                new QueryView("q_1", "ann", "select '<b>'", "FINISHED", "direct", 1, 2, 3, "");

        @Override
        public Overview overview() {
            return new Overview("1.0", "jdbc:hive2://127.0.0.1:10000/default", 1, "25", 2, 1, 1);
        }

        @Override
        public List<SessionView> sessions() {
            return List.of(new SessionView("s", "ann", "127.0.0.1", "default", 1, 1, 0));
        }

        @Override
        public List<QueryView> queries() {
            return List.of(QUERY);
        }

        @Override
        public Optional<QueryDetail> query(String id) {
            return id.equals(QUERY.id())
                    ? Optional.of(new QueryDetail(
                            QUERY, "plan", List.of(), List.of(), List.of(new FragmentView(0, 1, 0, 1, 0, 1))))
                    : Optional.empty();
        }

        @Override
        public List<FigureView> figures() {
            return List.of(new FigureView("Memory", "heap", 1, Unit.BYTES));
        }

        @Override
        public List<SettingView> settings() {
            return List.of(new SettingView("a", "b", "site file"));
        }
    }
}
