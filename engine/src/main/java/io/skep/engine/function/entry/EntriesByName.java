package io.skep.engine.function.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Entries of one kind of function, found by any of their names. */
public final class EntriesByName<E extends FunctionEntry> {
    private final List<E> entries;
    private final Map<String, E> byName;

    /** @throws IllegalArgumentException when a name stands twice */
    public EntriesByName(List<E> entries) {
        this.entries = List.copyOf(entries);
        Map<String, E> known = new HashMap<>();
        for (E entry : entries) {
            for (String name : entry.metadata().names()) {
                if (known.put(name, entry) != null) {
                    throw new IllegalArgumentException("two functions have the name '" + name + "'");
                }
            }
        }
        this.byName = Map.copyOf(known);
    }

    /** Returns all entries in the order of their list. */
    public List<E> all() {
        return entries;
    }

    /** Finds an entry by a name that plans or statements use. */
    public Optional<E> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Finds an entry by a name that statements may use. */
    public Optional<E> findCallable(String name) {
        return find(name).filter(entry -> entry.metadata().isCallable());
    }
}
