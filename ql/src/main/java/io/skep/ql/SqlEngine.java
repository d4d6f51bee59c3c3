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
}
