package io.skep.llap.client.registry;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The list that a registry shows, and who is told of it. */
public final class EntryList {
    /** By a key of each listening, as one function may listen twice; guarded by this. */
    private final Map<Object, Consumer<List<DaemonEntry>>> listeners = new LinkedHashMap<>();

    private volatile List<DaemonEntry> entries = List.of();

    public List<DaemonEntry> entries() {
        return entries;
    }

    /** Shows another list, sorted by slot; tells the listeners if it differs. */
    public synchronized void show(List<DaemonEntry> changed) {
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

    /** One listener's failure is not the others'. */
    private static void tell(Consumer<List<DaemonEntry>> listener, List<DaemonEntry> list) {
        try {
            listener.accept(list);
        } catch (RuntimeException e) {
            System.getLogger(EntryList.class.getName())
                    .log(System.Logger.Level.ERROR, "a listener to changes of the daemons failed", e);
        }
    }
}
