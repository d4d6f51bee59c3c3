package io.skep.llap.client.registry;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The current list of a registry, and its listeners. */
public final class EntryList {
    /** Listeners by a unique key, since one function may be registered twice. */
    @GuardedBy("this")
    private final Map<Object, Consumer<List<DaemonEntry>>> listeners = new LinkedHashMap<>();

    private volatile List<DaemonEntry> entries = List.of();

    public List<DaemonEntry> entries() {
        return entries;
    }

    /** Replaces the list and sorts it by slot. Notifies the listeners if it differs from the previous one. */
    public synchronized void replace(List<DaemonEntry> changed) {
        List<DaemonEntry> sorted = changed.stream()
                .sorted(Comparator.comparingInt(entry -> entry.identity().slot()))
                .toList();
        if (!sorted.equals(entries)) {
            entries = sorted;
            listeners.values().forEach(listener -> tell(listener, sorted));
        }
    }

    /** @see DaemonRegistry#listen */
    public synchronized DaemonRegistry.Listening listen(Consumer<List<DaemonEntry>> listener) {
        Object key = new Object();
        listeners.put(key, listener);
        tell(listener, entries);
        return () -> {
            synchronized (this) {
                listeners.remove(key);
            }
        };
    }

    /** Isolates the listeners from each other's failures. */
    private static void tell(Consumer<List<DaemonEntry>> listener, List<DaemonEntry> list) {
        try {
            listener.accept(list);
        } catch (RuntimeException e) {
            System.getLogger(EntryList.class.getName())
                    .log(System.Logger.Level.ERROR, "a listener to changes of the daemons failed", e);
        }
    }
}
