package io.skep.metastore.privilege;

import java.util.List;
import java.util.Optional;

/**
 * Delegation tokens and the keys that sign them, as texts in the metastore database's tables, for all servers on it.
 * Thread-safe. Methods fail with METASTORE_ERROR when the database does.
 */
public interface DelegationTokenStore {
    /** The tables have no longer texts. */
    int MAX_LENGTH = 767;

    /** Adds a key and returns its number, which no other key has. */
    int addKey(String key);

    void updateKey(int number, String key);

    void removeKey(int number);

    List<String> keys();

    /** Adds a token, unless there is one with this identifier. Returns whether it was added. */
    boolean addToken(String identifier, String token);

    Optional<String> token(String identifier);

    /** Replaces a token, and returns whether it was still there. */
    boolean replaceToken(String identifier, String token);

    /** Removes a token, and returns whether it was still there. */
    boolean removeToken(String identifier);

    List<String> identifiers();
}
