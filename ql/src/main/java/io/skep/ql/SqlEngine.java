package io.skep.ql;

import java.util.Map;
import java.util.Optional;

/** The SQL engine of a server. */
public interface SqlEngine {
    /**
     * Opens a session.
     *
     * @param address of the client, which authorizers of sites may look at; empty if it is not known
     * @param settings initial settings ({@code set:hiveconf:x}, {@code hivevar:x}, plain keys), as clients send them
     */
    SqlSession openSession(String user, Optional<String> address, Map<String, String> settings);

    /** Opens a session of a client whose address is not known. */
    default SqlSession openSession(String user, Map<String, String> settings) {
        return openSession(user, Optional.empty(), settings);
    }

    /**
     * Opens a session of the server itself, whose statements are not checked against grants.
     *
     * @param settings initial settings by name
     */
    SqlSession openServerSession(Map<String, String> settings);
}
