package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedJars;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose authorizer asks Ranger's policy engine, with the policies in {@code itests/src/test/ranger}. The
 * authorizer and Ranger's classes are only on the path of the server's settings.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestRangerPolicies {
    private AuthorizedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Path home = ReleasedJars.home();
        server = AuthorizedServer.start(
                folder,
                List.of("root", "ann", "bob"),
                "open sesame",
                Map.of(
                        "hive.security.authorization.manager",
                        "io.skep.itests.ranger.RangerFileAuthorizerFactory",
                        "skep.authorization.plugin-path",
                        home.resolve("dist/ranger-lib") + "," + home.resolve("itests/ranger/target/classes"),
                        "testing.ranger.policies",
                        home.resolve("itests/src/test/ranger/policies.json").toString()));
        try (Connection root = server.connect("root")) {
            AuthorizedServer.run(root, "CREATE DATABASE m");
            AuthorizedServer.run(root, "CREATE TABLE m.people (id INT, ssn STRING, region STRING, salary INT)");
            AuthorizedServer.run(root, "CREATE TABLE m.others (id INT)");
            AuthorizedServer.run(
                    root,
                    "INSERT INTO m.people VALUES (1, '123-45-6789', 'EU', 10), (2, '987-65-4321', 'US', 20),"
                            + " (3, '555-44-3333', 'EU', 30)");
        }
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    @Test
    void rowsAreFilteredAndColumnsMasked() throws SQLException {
        try (Connection root = server.connect("root");
                Connection ann = server.connect("ann")) {
            for (int i = 0; i < 2; i++) {
                assertThat(rows(root, "SELECT ssn FROM m.people ORDER BY id"))
                        .containsExactly("123-45-6789", "987-65-4321", "555-44-3333");
                assertThat(rows(ann, "SELECT ssn FROM m.people ORDER BY id"))
                        .containsExactly("xxx-xx-6789", "xxx-xx-3333");
            }
            assertThat(rows(ann, "SELECT count(id) FROM m.people")).containsExactly("2");
            assertThat(rows(ann, "SELECT id FROM m.people WHERE ssn = '123-45-6789'"))
                    .isEmpty();
            assertThat(rows(ann, "SELECT max(id) FROM m.people WHERE region = 'US'"))
                    .containsExactly((String) null);
        }
    }

    @Test
    void columnsAndTablesWithoutAPolicyAreRefused() throws SQLException {
        try (Connection ann = server.connect("ann");
                Connection bob = server.connect("bob")) {
            assertThatThrownBy(() -> rows(ann, "SELECT salary FROM m.people"))
                    .hasMessageContaining("HiveAccessControlException Permission denied: user [ann] does not have"
                            + " [select] privilege on [m/people/salary]");
            assertThatThrownBy(() -> rows(ann, "SELECT id FROM m.people WHERE salary > 10"))
                    .hasMessageContaining("[m/people/salary]");
            assertThatThrownBy(() -> AuthorizedServer.run(ann, "INSERT INTO m.people VALUES (4, 'x', 'EU', 1)"))
                    .hasMessageContaining("[update] privilege on [m/people]");
            assertThatThrownBy(() -> AuthorizedServer.run(ann, "DROP TABLE m.people"))
                    .hasMessageContaining("[drop] privilege");
            assertThatThrownBy(() -> rows(bob, "SELECT id FROM m.people")).hasMessageContaining("user [bob]");
            assertThatThrownBy(() -> AuthorizedServer.run(ann, "ADD JAR /tmp/x.jar"))
                    .hasMessageContaining("user [ann]");
        }
    }

    @Test
    void listsShowWhatUsersMaySee() throws SQLException {
        try (Connection root = server.connect("root");
                Connection ann = server.connect("ann");
                Connection bob = server.connect("bob")) {
            assertThat(rows(root, "SHOW TABLES IN m")).containsExactly("others", "people");
            assertThat(rows(ann, "SHOW TABLES IN m")).containsExactly("people");
            assertThat(rows(bob, "SHOW DATABASES")).isEmpty();
            assertThat(rows(ann, "SHOW DATABASES")).containsExactly("m");
            try (ResultSet tables = ann.getMetaData().getTables(null, "m", "%", null)) {
                assertThat(tables.next()).isTrue();
                assertThat(tables.getString("TABLE_NAME")).isEqualTo("people");
                assertThat(tables.next()).isFalse();
            }
            try (ResultSet schemas = ann.getMetaData().getSchemas()) {
                assertThat(schemas.next()).isTrue();
                assertThat(schemas.getString("TABLE_SCHEM")).isEqualTo("m");
                assertThat(schemas.next()).isFalse();
            }
        }
    }

    @Test
    void statementsAboutRolesAreRangers() throws SQLException {
        try (Connection root = server.connect("root")) {
            assertThatThrownBy(() -> AuthorizedServer.run(root, "CREATE ROLE readers"))
                    .hasMessageContaining("roles and grants are changed in Ranger");
        }
    }
}
