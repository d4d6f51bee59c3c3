package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonEndpoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The connections of a server to the daemons of its site. A daemon that the source does not list any more gets no new
 * work. It stays connected as long as it lives, for the work that it has. Guarded by itself.
 */
public final class RemoteDaemons implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final DaemonConnector connector;
    private final DaemonEndpoints source;
    private final Duration wait;

    @GuardedBy("this")
    private final Map<DaemonEndpoint, DaemonLink> links = new LinkedHashMap<>();

    private final Future<?> looking;

    @GuardedBy("this")
    private Set<DaemonEndpoint> wanted = Set.of();

    @GuardedBy("this")
    private boolean closed;

    /** @param wait how long {@link #live} waits when no daemon is available */
    public RemoteDaemons(DaemonConnector connector, DaemonEndpoints source, Duration wait) {
        this.connector = connector;
        this.source = source;
        this.wait = wait;
        look();
        this.looking = connector.threads().every(LOOK_NANOS, this::look);
    }

    private void look() {
        List<DaemonLink> all;
        List<DaemonEndpoint> named = source.current();
        synchronized (this) {
            if (closed) {
                return;
            }
            Set<DaemonEndpoint> listed = new HashSet<>(named);
            wanted = listed;
            named.forEach(endpoint -> links.computeIfAbsent(endpoint, DaemonLink::new));
            links.values().removeIf(link -> !listed.contains(link.endpoint()) && link.isDown());
            all = links.values().stream()
                    .filter(link -> listed.contains(link.endpoint()))
                    .toList();
        }
        all.forEach(link -> link.connectIfDue(connector, this::changed));
    }

    private synchronized void changed() {
        notifyAll();
    }

    /**
     * Returns the daemons that can be assigned work, by slot. Waits for a limited time if there is none.
     *
     * @throws SkepException QUEUE_FULL with the reasons when none becomes available
     */
    public List<DaemonConnection> live() {
        long deadline = System.nanoTime() + wait.toNanos();
        synchronized (this) {
            while (true) {
                List<RemoteDaemon> live = alive();
                if (!live.isEmpty()) {
                    return List.copyOf(live);
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || closed) {
                    throw none();
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new SkepException(
                            StandardErrorCode.OPERATION_CANCELED, "interrupted while no LLAP daemon was there", e);
                }
            }
        }
    }

    @GuardedBy("this")
    private SkepException none() {
        List<String> reasons = new ArrayList<>();
        links.values().forEach(link -> reasons.add(link.state()));
        return new SkepException(
                        StandardErrorCode.QUEUE_FULL,
                        "there is no LLAP daemon to run the query: "
                                + (reasons.isEmpty() ? "none is known" : String.join("; ", reasons)))
                .withHint("see what the daemons' logs say, or start some with bin/skep llap start");
    }

    /** Returns the available daemons without waiting. */
    public synchronized List<RemoteDaemon> alive() {
        Set<DaemonEndpoint> listed = wanted;
        return links.values().stream()
                .filter(link -> listed.contains(link.endpoint()))
                .flatMap(link -> link.live().stream())
                .sorted(Comparator.comparingInt(daemon -> daemon.identity().slot()))
                .toList();
    }

    /**
     * Returns the connection to the daemon at an address, even if it is leaving or not listed any more. Empty when
     * there is none.
     */
    public synchronized Optional<RemoteDaemon> find(DaemonEndpoint endpoint) {
        return Optional.ofNullable(links.get(endpoint)).flatMap(DaemonLink::connected);
    }

    /** Returns the state of each daemon, by its address. */
    public synchronized Map<DaemonEndpoint, String> states() {
        Map<DaemonEndpoint, String> states = new LinkedHashMap<>();
        links.forEach((endpoint, link) -> states.put(endpoint, link.state()));
        return states;
    }

    @Override
    public void close() {
        List<DaemonLink> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(links.values());
            notifyAll();
        }
        looking.cancel(false);
        open.forEach(DaemonLink::close);
    }
}
