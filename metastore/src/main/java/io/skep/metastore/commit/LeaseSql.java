package io.skep.metastore.commit;

import java.util.Collections;

/** The SQL statements of {@link LeaseStore}, with names quoted for the database. */
record LeaseSql(
        String look,
        String beginning,
        String replace,
        String write,
        String read,
        String end,
        String leave,
        String changed) {
    private static final String ROW = "(?, ?)";
    private static final String TEXT = "CHAR(1)";

    static LeaseSql of(String url) {
        String quote = url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:") ? "`" : "\"";
        String marks = quoted(quote, "METASTORE_DB_PROPERTIES");
        String key = quoted(quote, "PROPERTY_KEY");
        String value = quoted(quote, "PROPERTY_VALUE");
        String content = quoted(quote, "PROPERTYCONTENT");
        String events = quoted(quote, "NOTIFICATION_LOG");
        String id = quoted(quote, "EVENT_ID");
        return new LeaseSql(
                "SELECT " + quoted(quote, "NEXT_EVENT_ID") + ", CAST(NULL AS " + TEXT + "), CAST(NULL AS " + TEXT
                        + ") FROM "
                        + quoted(quote, "NOTIFICATION_SEQUENCE") + " UNION ALL SELECT 0, " + key + ", " + value
                        + " FROM " + marks + " WHERE " + key + " LIKE 'skep.commit.%'",
                "INSERT INTO " + marks + " (" + key + ", " + value + ") VALUES ",
                "UPDATE " + marks + " SET " + value + " = ? WHERE " + value + " = ?",
                "UPDATE " + marks + " SET " + content + " = ? WHERE " + value + " = ?",
                "SELECT " + content + " FROM " + marks + " WHERE " + value + " = ?",
                "DELETE FROM " + marks + " WHERE " + value + " = ?",
                "UPDATE " + marks + " SET " + key + " = ?, " + value + " = ? WHERE " + value + " = ?",
                "SELECT count(*) FROM " + events + " WHERE " + id + " > ? AND " + quoted(quote, "DB_NAME") + " = ? AND "
                        + quoted(quote, "TBL_NAME") + " = ?");
    }

    /** Returns the statement that marks this number of tables at once, all or none. */
    String begin(int tables) {
        return beginning + String.join(", ", Collections.nCopies(tables, ROW));
    }

    /**
     * Returns the statement that locks a table's mark until the transaction ends, if its value begins as expected. An
     * update to the same value locks the row in every database.
     */
    static String lock(String quote, int length) {
        String key = quoted(quote, "PROPERTY_KEY");
        return "UPDATE " + quoted(quote, "METASTORE_DB_PROPERTIES") + " SET " + key + " = " + key + " WHERE " + key
                + " = ? AND SUBSTR(" + quoted(quote, "PROPERTY_VALUE") + ", 1, " + length + ") = ?";
    }

    private static String quoted(String quote, String name) {
        return quote + name + quote;
    }
}
