package io.skep.metastore.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A schema script. Statements end with a semicolon, and comment lines begin with two dashes. */
record SqlScript(List<String> statements) {
    SqlScript {
        statements = List.copyOf(statements);
    }

    /** Splits a text into statements. Semicolons and dashes in quotes are part of their statement. */
    static SqlScript parse(String text) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote == 0 && text.startsWith("--", i)) {
                int end = text.indexOf('\n', i);
                i = end < 0 ? text.length() : end;
                statement.append('\n');
            } else if (quote == 0 && c == ';') {
                add(statements, statement);
            } else {
                quote = quote == c ? 0 : quote == 0 && (c == '\'' || c == '"') ? c : quote;
                statement.append(c);
            }
        }
        add(statements, statement);
        return new SqlScript(statements);
    }

    private static void add(List<String> statements, StringBuilder statement) {
        String text = statement.toString().strip();
        if (!text.isEmpty()) {
            statements.add(text);
        }
        statement.setLength(0);
    }

    /** Runs all statements in one transaction. */
    void run(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        connection.commit();
    }
}
