package io.skep.common.config;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All settings that a server itself reads: those read at its start and those that sessions may change. */
public final class KnownSettings {
    /** The prefix of Skep's own settings. An unknown setting with it is an error. */
    public static final String OWN = "skep.";

    public static final KnownSettings NONE = new KnownSettings(List.of(), List.of());

    private final Map<String, Property<?>> start;
    private final Map<String, Property<?>> session;

    /**
     * @param start read when the server starts
     * @param session read when a statement runs, from the session's settings
     */
    public KnownSettings(List<? extends Property<?>> start, List<? extends Property<?>> session) {
        this.start = byName(start);
        this.session = byName(session);
    }

    private static Map<String, Property<?>> byName(List<? extends Property<?>> properties) {
        Map<String, Property<?>> named = new HashMap<>();
        properties.forEach(property -> named.put(property.name(), property));
        return Map.copyOf(named);
    }

    public Set<String> names() {
        return Stream.of(start, session).flatMap(map -> map.keySet().stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the settings that a session may change. */
    public List<Property<?>> ofSessions() {
        return List.copyOf(session.values());
    }

    /** Finds a setting that a session may change. */
    public Optional<Property<?>> findOfSession(String name) {
        return Optional.ofNullable(session.get(name));
    }

    public Optional<Property<?>> find(String name) {
        Property<?> found = session.get(name);
        return Optional.ofNullable(found == null ? start.get(name) : found);
    }

    /**
     * Checks a setting of a session.
     *
     * @throws SkepException INVALID_CONFIGURATION when the setting is Skep's own and unknown, or does not accept the
     *     value; ACCESS_DENIED when it is Skep's own and read only at the start
     */
    public void check(String name, String value) {
        Property<?> property = session.get(name);
        if (property != null) {
            checkValue(property, value);
        } else if (name.startsWith(OWN)) {
            throw start.containsKey(name) ? ofServer(name) : unknown(name, DidYouMean.of(name, session.keySet()));
        }
    }

    private static void checkValue(Property<?> property, String value) {
        try {
            property.type().parse(value);
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, property.name() + ": " + e.getMessage(), e);
        }
    }

    /** Refuses a setting as Hive refuses those of its restricted list. */
    private static SkepException ofServer(String name) {
        return new SkepException(
                        StandardErrorCode.ACCESS_DENIED,
                        "Cannot modify " + name + " at runtime. The server reads it when it starts")
                .as(StandardErrorCode.INVALID_CONFIGURATION.client())
                .withHint("set it in skep-site.xml and start the server again");
    }

    private static SkepException unknown(String name, List<String> near) {
        SkepException error = invalid("there is no setting " + name);
        return near.isEmpty() ? error : error.withHint("did you mean " + String.join(", ", near) + "?");
    }

    private static SkepException invalid(String message) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, message);
    }
}
