package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.session.ClientSession;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flight.CloseSessionResult;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.NoOpSessionOptionValueVisitor;
import org.apache.arrow.flight.SessionOptionValue;
import org.apache.arrow.flight.SessionOptionValueFactory;
import org.apache.arrow.flight.SetSessionOptionsResult;

/**
 * The options of a client's session: {@code schema} is the current database, {@code catalog} is always empty. Settings
 * are a matter of SET.
 */
final class SessionOptions {
    private static final String CATALOG = "catalog";
    private static final String SCHEMA = "schema";

    private final FlightSessions sessions;

    SessionOptions(FlightSessions sessions) {
        this.sessions = sessions;
    }

    GetSessionOptionsResult get(FlightLogin.Client client) {
        try (FlightSessions.Lease lease = sessions.toRead(client)) {
            return new GetSessionOptionsResult(Map.of(
                    CATALOG,
                    SessionOptionValueFactory.makeSessionOptionValue(""),
                    SCHEMA,
                    SessionOptionValueFactory.makeSessionOptionValue(
                            lease.session().sql().currentDatabase())));
        }
    }

    /**
     * Sets what can be set, and returns what cannot.
     *
     * @throws SkepException NOT_SUPPORTED for a client without a session
     */
    SetSessionOptionsResult set(FlightLogin.Client client, Map<String, SessionOptionValue> options) {
        if (client.session().isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the options are those of a session, and the session of this call ends with it")
                    .withHint("log in by a handshake, whose token stands for a session, or accept cookies");
        }
        Map<String, SetSessionOptionsResult.Error> errors = new HashMap<>();
        try (FlightSessions.Lease lease = sessions.toChange(client)) {
            options.forEach((name, value) -> set(lease.session(), name, text(value))
                    .ifPresent(error -> errors.put(name, new SetSessionOptionsResult.Error(error))));
        }
        return new SetSessionOptionsResult(errors);
    }

    private static Optional<String> text(SessionOptionValue value) {
        return Optional.ofNullable(value.acceptVisitor(new NoOpSessionOptionValueVisitor<String>() {
            @Override
            public String visit(String text) {
                return text;
            }
        }));
    }

    private static Optional<SetSessionOptionsResult.ErrorValue> set(
            ClientSession session, String name, Optional<String> value) {
        return switch (name) {
            case CATALOG ->
                value.orElse("").isEmpty()
                        ? Optional.empty()
                        : Optional.of(SetSessionOptionsResult.ErrorValue.INVALID_VALUE);
            case SCHEMA -> use(session, value.filter(text -> !text.isEmpty()).orElse("default"));
            default -> Optional.of(SetSessionOptionsResult.ErrorValue.INVALID_NAME);
        };
    }

    /** Runs a statement, so that the change is checked and logged as one. */
    private static Optional<SetSessionOptionsResult.ErrorValue> use(ClientSession session, String database) {
        try {
            session.close(session.execute("USE `" + database.replace("`", "``") + "`", false)
                    .id());
            return Optional.empty();
        } catch (SkepException e) {
            return Optional.of(SetSessionOptionsResult.ErrorValue.INVALID_VALUE);
        }
    }

    CloseSessionResult close(FlightLogin.Client client) {
        sessions.end(client);
        return new CloseSessionResult(CloseSessionResult.Status.CLOSED);
    }
}
