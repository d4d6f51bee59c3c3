package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.itests.client.ReleasedClient;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the server's page as Chromium renders it. If the environment contains {@code SKEP_CHROMIUM=required}, as in
 * continuous integration, a missing browser fails the test. Otherwise the test is skipped.
 */
@ExtendWith(SharedServer.class)
@Timeout(120)
final class TestPagesInBrowser {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    @TempDir
    private Path profile;

    @Test
    void queriesAndTheirPlans(TestServer server) throws Exception {
        Path browser = browser();
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE browsed");
            statement.execute("CREATE TABLE browsed.t STORED AS ORC AS SELECT explode(array(1, 2, 3)) AS a");
            String sql = "SELECT a, '<b>bold</b>' FROM browsed.t WHERE a > 1";
            assertThat(ReleasedClient.countRows(statement, sql)).isEqualTo(2);
            String refused = "SELECT nothing FROM browsed.t";
            assertThat(fails(statement, refused)).isTrue();
            String id = server.server().history().ended().stream()
                    .filter(entry -> entry.text().equals(sql))
                    .findFirst()
                    .orElseThrow()
                    .queryId();

            String list = dom(browser, server.uiUrl());
            assertThat(list)
                    .contains(server.jdbcUrl(), ">FAILED</td>", ">FINISHED</td>", "#" + id)
                    .contains("'&lt;b&gt;bold&lt;/b&gt;'", "Invalid table alias or column reference 'nothing'")
                    .containsPattern("data-name=\"Rows\">2<")
                    .containsPattern("<dt>heap in use</dt><dd>[0-9.]+ [MG]B of [0-9.]+ [MG]B</dd>")
                    .containsPattern("<dt>in use</dt><dd>[0-9.]+ [KMG]?B of [0-9.]+ [MG]B</dd>")
                    .doesNotContain("The server does not answer.", "undefined", "NaN");
            assertThat(list).containsPattern("id=\"detail\"[^>]* hidden");

            String opened = dom(browser, server.uiUrl() + "#" + id);
            assertThat(opened)
                    .contains("<span id=\"detail-id\">" + id, "Scan browsed.t", "rows scanned", "aria-current=\"true\"")
                    .doesNotContainPattern("id=\"detail\"[^>]* hidden");
            statement.execute("DROP DATABASE browsed CASCADE");
        }
    }

    /** Returns the DOM of the page after its scripts have run. */
    private String dom(Path browser, String url) throws IOException, InterruptedException {
        Path errors = profile.resolve("errors");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--user-data-dir=" + profile.resolve("profile"),
                        "--virtual-time-budget=3000",
                        "--dump-dom",
                        url)
                .redirectError(errors.toFile())
                .start();
        try {
            String dom = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
            return dom;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Path browser() {
        Optional<Path> found = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(String.valueOf(System.getenv("PATH")))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        if ("required".equals(System.getenv("SKEP_CHROMIUM"))) {
            assertThat(found).as("one of " + NAMES + " on the PATH").isPresent();
        }
        assumeTrue(found.isPresent(), "one of " + NAMES + " on the PATH; .ci/run installs chromium");
        return found.orElseThrow();
    }

    private static boolean fails(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return false;
        } catch (SQLException e) {
            return true;
        }
    }
}
