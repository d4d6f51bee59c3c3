package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests row filters and masks through the released driver, as users of different roles. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPoliciesOfUsers {
    private final Map<String, Connection> users = new HashMap<>();
    private AuthorizedServer site;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        site = AuthorizedServer.start(folder, List.of("root", "ann", "bob"), "x", Map.of());
        for (String name : List.of("root", "ann", "bob")) {
            users.put(name, site.connect(name));
        }
        run("root", "set role admin");
        run("root", "create role hr");
        run("root", "grant role hr to user ann");
        run("root", "create table pay (id int, who string, ssn string, amount int) stored as orc");
        run("root", "insert into pay values (1, 'ann', '111-hidden', 10), (2, 'bob', '222-hidden', 0)");
        run("root", "grant all on table pay to role public");
        run("root", "analyze table pay compute statistics for columns");
        run("root", "alter table pay set row filter (is_member('hr') or who = current_user())");
        run("root", "alter table pay alter column ssn set mask (if(is_member('hr'), ssn, substr(ssn, 1, 3)))");
    }

    @AfterAll
    void close() throws Exception {
        for (Connection connection : users.values()) {
            connection.close();
        }
        site.close();
    }

    private Connection of(String user) {
        Connection connection = users.get(user);
        if (connection == null) {
            throw new IllegalArgumentException(user);
        }
        return connection;
    }

    private void run(String user, String sql) throws SQLException {
        try (Statement statement = of(user).createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> rows(String user, String sql) throws SQLException {
        try (Statement statement = of(user).createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return texts(rows);
        }
    }

    private static List<String> texts(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                values.add(rows.getString(i));
            }
            texts.add(String.join(" | ", values));
        }
        return texts;
    }

    @Test
    void everyUserSeesItsOwn() throws SQLException {
        for (int i = 0; i < 3; i++) {
            String query = "select id, ssn from pay where id < " + (10 + i) + " order by id";
            assertThat(rows("ann", query)).containsExactly("1 | 111-hidden", "2 | 222-hidden");
            assertThat(rows("bob", query)).containsExactly("2 | 222");
            assertThat(rows("root", query)).isEmpty();
        }
        assertThat(rows("bob", "select count(*), min(id), max(ssn) from pay")).containsExactly("1 | 2 | 222");
        assertThat(rows("ann", "select count(*), min(id), max(ssn) from pay")).containsExactly("2 | 1 | 222-hidden");
        try (PreparedStatement prepared =
                of("bob").prepareStatement("select id from pay where ssn like ? and id < ?")) {
            prepared.setString(1, "%2%");
            prepared.setInt(2, 5);
            assertThat(texts(prepared.executeQuery())).containsExactly("2");
            prepared.setString(1, "%hidden%");
            assertThat(texts(prepared.executeQuery())).isEmpty();
        }
    }

    @Test
    void membershipsCountAtOnce() throws SQLException {
        String query = "select count(*) from pay where id > 0";
        assertThat(rows("bob", query)).containsExactly("1");
        run("root", "grant role hr to user bob");
        assertThat(rows("bob", query)).containsExactly("2");
        run("root", "revoke role hr from user bob");
        assertThat(rows("bob", query)).containsExactly("1");
    }

    @Test
    void errorsTellNothing() {
        for (String sql : List.of(
                "select assert_true(amount = 0) from pay",
                "select id from pay where assert_true(ssn not like '%hidden%') is null",
                "select reflect('java.lang.Integer', 'parseInt', ssn) from pay",
                "select assert_true(length(ssn) = 9) from pay",
                "insert overwrite table pay select * from pay",
                "alter table pay set row filter (ssn = '111-hidden')",
                "select decode(unhex(ssn), 'hidden') from pay where ssn = 'x' or assert_true(ssn = 'y')")) {
            try {
                rows("bob", sql);
            } catch (SQLException e) {
                assertThat(String.valueOf(e.getMessage()))
                        .as(sql)
                        .doesNotContain("111-", "222-hidden", "is_member", "substr");
            }
        }
        assertThatThrownBy(() -> rows("bob", "select assert_true(ssn <> '222') from pay"))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void shownToOwnersOnly() throws SQLException {
        assertThat(String.join("\n", rows("root", "show tblproperties pay")))
                .contains("skep.row-filter", "skep.mask.ssn");
        for (String show : List.of("show tblproperties pay", "describe formatted pay", "describe extended pay")) {
            assertThat(String.join("\n", rows("bob", show))).as(show).doesNotContain("is_member", "skep.");
        }
        assertThat(String.join("\n", rows("root", "describe formatted pay id"))).containsPattern("max *\\| *2");
        assertThat(String.join("\n", rows("bob", "describe formatted pay id"))).doesNotContainPattern("max *\\| *2");
        assertThatThrownBy(() -> run("bob", "alter table pay drop row filter"))
                .hasMessageContaining("OBJECT OWNERSHIP");
        try (ResultSet tables = of("bob").getMetaData().getTables(null, "default", "pay", null)) {
            assertThat(String.join("\n", texts(tables))).contains("pay").doesNotContain("is_member");
        }
    }
}
