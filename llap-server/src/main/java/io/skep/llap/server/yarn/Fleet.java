package io.skep.llap.server.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.server.yarn.MasterReport.ReportedDaemon;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The master's containers, and what their daemons have announced. The master's thread writes, and other threads may
 * read.
 */
final class Fleet {
    private static final int KEPT_FAILURES = 20;
    private static final DaemonAddress NOWHERE = new DaemonAddress("", 0, 0, 0);

    @GuardedBy("this")
    private final Map<String, DaemonContainer> containers = new TreeMap<>();

    private final Map<String, DaemonAddress> addresses = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private final List<String> failures = new ArrayList<>();

    @GuardedBy("this")
    private final List<String> ended = new ArrayList<>();

    synchronized List<DaemonContainer> containers() {
        return List.copyOf(containers.values());
    }

    synchronized void put(DaemonContainer container) {
        containers.put(container.id(), container);
    }

    synchronized Optional<DaemonContainer> find(String id) {
        return Optional.ofNullable(containers.get(id));
    }

    /** Returns the address of the daemon in a container. Empty when it has not been announced. */
    Optional<DaemonEndpoint> endpoint(String id) {
        return Optional.ofNullable(addresses.get(id)).map(Fleet::endpoint);
    }

    /** Returns the addresses of the daemons. */
    List<DaemonEndpoint> endpoints() {
        return addresses.values().stream().map(Fleet::endpoint).toList();
    }

    private static DaemonEndpoint endpoint(DaemonAddress address) {
        return new DaemonEndpoint(address.host(), address.port());
    }

    synchronized void remove(String id) {
        containers.remove(id);
        addresses.remove(id);
        ended.add(id);
    }

    /** Returns the containers removed since the last call. */
    synchronized List<String> takeEnded() {
        List<String> taken = List.copyOf(ended);
        ended.clear();
        return taken;
    }

    /** Notes that the daemon in the container accepts tasks. */
    synchronized void ready(String id, DaemonAddress address, long nowMillis) {
        DaemonContainer known = containers.get(id);
        if (known != null) {
            addresses.put(id, address);
            if (known.phase() == DaemonPhase.STARTING) {
                containers.put(id, known.in(DaemonPhase.READY, nowMillis));
            }
        }
    }

    synchronized void failed(String what) {
        failures.add(what);
        if (failures.size() > KEPT_FAILURES) {
            failures.removeFirst();
        }
    }

    /** Restores the failures that an earlier master has recorded. */
    synchronized void restoreFailures(Collection<String> earlier) {
        failures.addAll(0, earlier);
    }

    synchronized MasterReport report(String application, int attempt, long nowMillis) {
        List<ReportedDaemon> daemons = containers.values().stream()
                .map(one -> new ReportedDaemon(one, addresses.getOrDefault(one.id(), NOWHERE)))
                .toList();
        return new MasterReport(application, attempt, daemons, failures, nowMillis);
    }
}
