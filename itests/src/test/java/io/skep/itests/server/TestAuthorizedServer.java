package io.skep.itests.server;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.service.server.SkepServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests authorization through the released driver, as several users of one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestAuthorizedServer {
    private static final String DENIED =
            "Error while compiling statement: FAILED: HiveAccessControlException Permission denied: Principal"
                    + " [name=ann, type=USER] does not have following privileges for operation QUERY [[SELECT] on"
                    + " Object [type=TABLE_OR_VIEW, name=default.t]]";

    private AuthorizedServer site;
    private SkepServer server;
    private Connection root;
    private Connection ann;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        site = AuthorizedServer.start(folder, List.of("root", "ann"), "x", Map.of());
        server = site.server();
        root = site.connect("root");
        ann = site.connect("ann");
        run(root, "set role admin");
        run(root, "create table t (a int, b string)");
        run(root, "insert into t values (1, 'x')");
        run(root, "create table u (a int, b string, c int)");
        run(root, "grant select (a, b) on table u to user ann");
    }

    @AfterAll
    void close() throws Exception {
        root.close();
        ann.close();
        site.close();
    }

    private static List<String> first(ResultSet rows, int column) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(column));
        }
        return values;
    }

    @Test
    void errorsAreThoseOfHive() {
        assertThatThrownBy(() -> run(ann, "select * from t")).isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getMessage()).startsWith(DENIED);
            assertThat(e.getErrorCode()).isEqualTo(40000);
            assertThat(e.getSQLState()).isEqualTo("42000");
        });
        assertThatThrownBy(() -> run(ann, "show roles"))
                .hasMessageContaining(
                        "FAILED: Execution Error, return code 40000 from org.apache.hadoop.hive.ql.ddl.DDLTask.")
                .hasMessageContaining("Current user : ann is not allowed to list roles.");
        assertThatThrownBy(() -> run(ann, "add jar /nowhere.jar"))
                .hasMessageStartingWith("Error while processing statement: Permission denied: ")
                .hasMessageContaining("[[ADMIN PRIVILEGE] on Object [type=COMMAND_PARAMS, name=[jar, /nowhere.jar]]]");
        assertThatThrownBy(() -> run(ann, "select c from u")).hasMessageContaining("missing on default.u.c");
    }

    @Test
    void grantsCountAtOnceAlsoForCachedPlans() throws SQLException {
        run(root, "create table g (a int)");
        String query = "select a from g where a = 1";
        run(root, query);
        run(root, query);
        assertThatThrownBy(() -> run(ann, query)).hasMessageContaining("Permission denied");
        run(root, "grant select on table g to user ann");
        run(ann, query);
        run(root, "revoke select on table g from user ann");
        assertThatThrownBy(() -> run(ann, query)).hasMessageContaining("Permission denied");
    }

    @Test
    void metadataCallsShowWhatAUserMaySee() throws SQLException {
        try (ResultSet tables = ann.getMetaData().getTables(null, "default", "_", null);
                ResultSet columns = ann.getMetaData().getColumns(null, "default", "_", "%");
                ResultSet all = root.getMetaData().getTables(null, "default", "_", null)) {
            assertThat(first(tables, 3)).contains("u").doesNotContain("t");
            assertThat(first(columns, 3)).contains("u").doesNotContain("t");
            assertThat(first(all, 3)).contains("t", "u");
        }
    }

    /** They show the statements of all users. */
    @Test
    void pagesAreForAdmins() throws Exception {
        assertThat(pageStatus("root")).isEqualTo(200);
        assertThat(pageStatus("ann")).isEqualTo(403);
        assertThat(pageStatus("nobody")).isEqualTo(401);
    }

    private int pageStatus(String user) throws Exception {
        String login = Base64.getEncoder().encodeToString((user + ":x").getBytes(StandardCharsets.UTF_8));
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.uiUrl() + "api/queries"))
                    .header("Authorization", "Basic " + login)
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void connectionsCannotSwitchItOff() {
        for (String setting : List.of(
                "hive.security.authorization.enabled=false",
                "hive.users.in.admin.role=ann",
                "hive.security.authorization.sqlstd.confwhitelist.append=.*")) {
            assertThatThrownBy(() -> site.connect(server.jdbcUrl() + "?" + setting, "ann")
                            .close())
                    .hasStackTraceContaining("Cannot modify " + setting.replaceAll("=.*", "") + " at runtime");
        }
    }
}
