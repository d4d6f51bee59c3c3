package io.skep.ql.compiler;

import io.skep.metastore.Database;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrincipalKind;
import io.skep.ql.SqlSession;
import io.skep.ql.statement.Revision;
import io.skep.ql.testing.TestingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A user with privileges on the objects of a database of its own: {@code t}, {@code p}, {@code v}, {@code x} and
 * {@code y} as in docs/security-matrix.md.
 *
 * @param number distinguishes the user, its roles and its database
 * @param held such as {@code SELECT}, {@code SELECT GRANT(a)} on all of them, {@code OWNER}; with {@code DB} before it
 *     on the database
 */
record Holder(int number, List<String> held, Way way) {
    /** How a user has privileges. */
    enum Way {
        DIRECTLY,
        BY_A_ROLE,
        BY_A_ROLE_OF_A_ROLE,
        BY_PUBLIC,
        BY_A_ROLE_THAT_IS_NOT_CURRENT
    }

    static final List<String> TABLES = List.of("t", "p", "v", "x", "y");

    private static final List<List<String>> SETS = List.of(
            List.of(),
            List.of("SELECT"),
            List.of("INSERT"),
            List.of("UPDATE"),
            List.of("DELETE"),
            List.of("SELECT GRANT"),
            List.of("SELECT(a)"),
            List.of("SELECT(b)"),
            List.of("SELECT(a)", "SELECT(b)"),
            List.of("SELECT GRANT(a)"),
            List.of("OWNER"),
            List.of("DB OWNER"),
            List.of("DB SELECT GRANT"),
            List.of("DB OWNER", "OWNER"),
            List.of("SELECT", "INSERT"),
            List.of("INSERT", "DELETE"),
            List.of("SELECT", "INSERT", "UPDATE", "DELETE"),
            List.of("DB OWNER", "SELECT"),
            List.of("DB OWNER", "OWNER", "SELECT GRANT(a)"),
            List.of("DB OWNER", "INSERT", "DELETE", "SELECT(a)"));

    /** Enough for what differs between ways. */
    private static final List<List<String>> SOME_SETS = List.of(
            List.of("SELECT"),
            List.of("SELECT GRANT(a)"),
            List.of("OWNER"),
            List.of("DB OWNER"),
            List.of("DB SELECT GRANT"),
            List.of("DB OWNER", "OWNER", "SELECT GRANT(a)"),
            List.of("SELECT", "INSERT", "UPDATE", "DELETE"));

    static List<Holder> all() {
        List<Holder> holders = new ArrayList<>();
        for (Way way : Way.values()) {
            for (List<String> set : way == Way.DIRECTLY || way == Way.BY_A_ROLE ? SETS : SOME_SETS) {
                holders.add(new Holder(holders.size(), set, way));
            }
        }
        return holders;
    }

    String database() {
        return "m" + number;
    }

    String user() {
        return "u" + number;
    }

    private Principal principal() {
        return switch (way) {
            case DIRECTLY -> Principal.user(user());
            case BY_PUBLIC -> Principal.role("public");
            case BY_A_ROLE, BY_A_ROLE_OF_A_ROLE, BY_A_ROLE_THAT_IS_NOT_CURRENT -> Principal.role("r" + number);
        };
    }

    /** Returns what counts in the user's session. */
    Set<String> counting() {
        Set<String> facts = new TreeSet<>();
        if (way == Way.BY_A_ROLE_THAT_IS_NOT_CURRENT) {
            return facts;
        }
        for (String each : held) {
            if (each.startsWith("DB ")) {
                facts.add(each.substring(3) + " m");
            } else if (each.endsWith(")")) {
                int open = each.indexOf('(');
                String column = each.substring(open + 1, each.length() - 1);
                TABLES.forEach(table -> facts.add(each.substring(0, open) + " " + table + "." + column));
            } else {
                TABLES.forEach(table -> facts.add(each + " " + table));
            }
        }
        return facts;
    }

    /** Makes the database, the role and the grants. */
    void create(TestingEngine engine, SqlSession admin) {
        Principal principal = principal();
        boolean role = principal.kind() == PrincipalKind.ROLE;
        String to = (role ? "role " : "user ") + principal.name();
        if (role && way != Way.BY_PUBLIC) {
            engine.run(admin, "create role r" + number);
            if (way == Way.BY_A_ROLE_OF_A_ROLE) {
                engine.run(admin, "create role inner" + number);
                engine.run(admin, "grant role r" + number + " to role inner" + number);
            }
            String member = way == Way.BY_A_ROLE_OF_A_ROLE ? "inner" + number : "r" + number;
            engine.run(admin, "grant role " + member + " to user " + user());
        }
        boolean owns = held.contains("DB OWNER");
        engine.catalog()
                .createDatabase(new Database(
                        database(),
                        Optional.empty(),
                        "",
                        Optional.empty(),
                        owns ? principal.name() : "root",
                        owns && role,
                        Map.of()));
        engine.run(admin, "create table " + database() + ".t (a int, b string)");
        engine.run(admin, "create table " + database() + ".p (a int, b string) partitioned by (c int)");
        engine.run(admin, "alter table " + database() + ".p add partition (c = 1)");
        engine.run(
                admin,
                "create table " + database()
                        + ".x (a int, b string) stored as orc tblproperties ('transactional'='true')");
        engine.run(admin, "create view " + database() + ".v as select a, b from " + database() + ".t");
        createMaterializedView(engine, database());
        for (String each : held) {
            grant(engine, admin, each, to);
        }
    }

    /** Makes the view without the daemon that would write its rows. */
    static void createMaterializedView(TestingEngine engine, String database) {
        Table read = engine.catalog().table(database, "t").orElseThrow();
        String query = "select `t`.`a`, `t`.`b` from `" + database + "`.`t`";
        engine.catalog()
                .createTable(Revision.named(read, database, "y")
                        .asMaterializedView(
                                query,
                                query,
                                new Materialization(List.of(read.qualifiedName()), Optional.empty(), 0, false)));
    }

    private void grant(TestingEngine engine, SqlSession admin, String each, String to) {
        if (each.equals("DB OWNER")) {
            return;
        }
        String option = each.contains(" GRANT") ? " with grant option" : "";
        String privilege = each.replace("DB ", "").replace(" GRANT", "");
        if (each.startsWith("DB ")) {
            engine.run(admin, "grant " + privilege + " on database " + database() + " to " + to + option);
            return;
        }
        for (String table : TABLES) {
            String name = database() + "." + table;
            if (each.equals("OWNER") && !table.equals("v")) {
                engine.run(admin, "alter table " + name + " set owner " + to);
            } else if (each.equals("OWNER")) {
                ownView(engine, name);
            } else {
                engine.run(admin, "grant " + privilege + " on table " + name + " to " + to + option);
            }
        }
    }

    /** Hive has no statement for the owner of a view. */
    private void ownView(TestingEngine engine, String name) {
        var view = engine.catalog().table(database(), "v").orElseThrow();
        engine.catalog()
                .alterTable(
                        database(),
                        "v",
                        Revision.owner(view, principal().name(), principal().kind() == PrincipalKind.ROLE),
                        false);
        if (!name.endsWith(".v")) {
            throw new IllegalArgumentException(name);
        }
    }

    SqlSession open(TestingEngine engine) {
        SqlSession session = engine.session(user());
        if (way == Way.BY_A_ROLE_THAT_IS_NOT_CURRENT) {
            engine.run(session, "set role none");
        }
        return session;
    }
}
