package io.skep.ql;

import java.util.Map;

/** The SQL engine of a server. */
public interface SqlEngine {
    /**
     * Opens a session.
     *
     * @param settings initial settings ({@code set:hiveconf:x}, {@code hivevar:x}, plain keys), as clients send them
     */
    SqlSession openSession(String user, Map<String, String> settings);

    /**
     * Opens a session of the server itself, whose statements are not checked against grants.
     *
     * @param settings initial settings by name
     */
    SqlSession openServerSession(Map<String, String> settings);
}
