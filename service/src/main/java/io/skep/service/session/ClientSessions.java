package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlEngine;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** All open sessions of a server. */
public final class ClientSessions implements AutoCloseable {
    private final SqlEngine engine;
    private final InstantSource clock;
    private final QueryNames names;
    private final OperationHistory history;
    private final Map<UUID, ClientSession> sessions = new ConcurrentHashMap<>();

    public ClientSessions(SqlEngine engine, OperationHistory history, InstantSource clock) {
        this.engine = engine;
        this.clock = clock;
        this.names = new QueryNames(clock);
        this.history = history;
    }

    public ClientSession open(String user, String address, Map<String, String> settings) {
        ClientSession session =
                new ClientSession(user, address, engine.openSession(user, settings), names, history, clock);
        sessions.put(session.id(), session);
        return session;
    }

    /** @throws SkepException SESSION_NOT_FOUND */
    public ClientSession get(UUID id) {
        ClientSession session = sessions.get(id);
        if (session == null) {
            throw new SkepException(StandardErrorCode.SESSION_NOT_FOUND, "Invalid SessionHandle: " + id);
        }
        return session;
    }

    public Collection<ClientSession> all() {
        return List.copyOf(sessions.values());
    }

    public void close(UUID id) {
        ClientSession session = sessions.remove(id);
        if (session != null) {
            session.close();
        }
    }

    @Override
    public void close() {
        List.copyOf(sessions.keySet()).forEach(this::close);
    }
}
