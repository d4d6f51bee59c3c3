package io.skep.llap.server.yarn;

import io.skep.llap.server.yarn.Reconciler.Decision;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the decisions of the {@link Reconciler} with YARN. One thread calls {@link #runRound} repeatedly, which
 * also keeps the application alive for the resource manager.
 */
final class ApplicationMaster {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMaster.class);

    private final AMRMClient<ContainerRequest> manager;
    private final ContainerRequests requests;
    private final DaemonLauncher launcher;
    private final Fleet fleet;
    private final DaemonContacts contacts;
    private final DaemonTimeouts times;
    private final Function<NodeId, String> nodeNames;
    private final InstantSource clock;
    private final Map<String, Long> generations;
    private final NodeFailures failures = new NodeFailures();
    private final Reconciler reconciler = new Reconciler(failures);

    /**
     * @param nodeNames how the scheduler names nodes
     * @param generations generations of the daemons that an earlier master has started, by container; a missing
     *     container was allocated just before that master ended
     */
    ApplicationMaster(
            AMRMClient<ContainerRequest> manager,
            DaemonLauncher launcher,
            Fleet fleet,
            DaemonContacts contacts,
            DaemonTimeouts times,
            Function<NodeId, String> nodeNames,
            Map<String, Long> generations,
            InstantSource clock) {
        this.manager = manager;
        this.requests = new ContainerRequests(manager);
        this.launcher = launcher;
        this.fleet = fleet;
        this.contacts = contacts;
        this.times = times;
        this.nodeNames = nodeNames;
        this.generations = Map.copyOf(generations);
        this.clock = clock;
    }

    /** Takes over containers of an earlier master. */
    void adopt(Collection<Container> containers) {
        for (Container container : containers) {
            String id = container.getId().toString();
            if (fleet.find(id).isEmpty()) {
                long generation = generations.getOrDefault(id, 0L);
                fleet.put(new DaemonContainer(id, node(container), generation, DaemonPhase.STARTING, clock.millis()));
                LOG.info("{} on {} goes on", id, node(container));
            }
        }
    }

    /** Runs one round: gets news from YARN, decides, acts. */
    void runRound(DesiredState wanted) throws IOException, YarnException {
        AllocateResponse news = manager.allocate(0);
        adopt(news.getContainersFromPreviousAttempts());
        news.getCompletedContainersStatuses().forEach(this::ended);
        launcher.takeFailures().forEach(failure -> fail(failure.container(), failure.reason()));
        long now = clock.millis();
        Decision decision = reconciler.decide(wanted, fleet.containers(), manager.getClusterNodeCount(), now);
        Set<String> avoid = new HashSet<>(decision.avoid());
        int needed = decision.requests();
        for (Container container : news.getAllocatedContainers()) {
            requests.containerAllocated();
            boolean large =
                    container.getResource().getMemorySize() >= wanted.memory().container() >> 20;
            if (needed > 0 && large && !avoid.contains(node(container))) {
                needed--;
                start(container, wanted, now);
                if (decision.spread()) {
                    avoid.add(node(container));
                }
            } else {
                LOG.info("{} on {} is given back", container.getId(), node(container));
                manager.releaseAssignedContainer(container.getId());
            }
        }
        decision.late()
                .forEach(id ->
                        fail(id, "its daemon did not come up within " + Reconciler.LONGEST_START_MILLIS / 1000 + " s"));
        decision.stop().forEach(this::leave);
        stopLateLeavers(now);
        replaceSilent(now);
        requests.ask(needed, wanted, avoid);
    }

    /** Asks a ready daemon to drain. A daemon that is not ready or cannot be asked is stopped. */
    private void leave(String id) {
        fleet.find(id).filter(one -> !one.phase().ends()).ifPresent(one -> {
            if (one.phase() == DaemonPhase.READY && contacts.leave(id)) {
                LOG.info("{} on {} is asked to leave", id, one.node());
                fleet.put(one.in(DaemonPhase.LEAVING, clock.millis()));
            } else {
                stop(id);
            }
        });
    }

    private void stopLateLeavers(long now) {
        fleet.containers().stream()
                .filter(one -> one.phase() == DaemonPhase.LEAVING)
                .filter(one -> now - one.sinceMillis() > times.end().toMillis())
                .forEach(one -> stop(one.id()));
    }

    /**
     * Replaces silent daemons one at a time, and only when all daemons are ready. If many are silent, this master's own
     * network may be broken.
     */
    private void replaceSilent(long now) {
        List<String> silent = contacts.silent(fleet.containers(), times.silence(), now);
        if (fleet.containers().stream().allMatch(one -> one.phase() == DaemonPhase.READY)) {
            silent.stream()
                    .findFirst()
                    .ifPresent(id -> fail(
                            id,
                            "its daemon has not answered for " + times.silence().toSeconds() + " s"));
        }
    }

    private void start(Container container, DesiredState wanted, long now) {
        String id = container.getId().toString();
        LOG.info("{} on {} gets a daemon of generation {}", id, node(container), wanted.generation());
        fleet.put(new DaemonContainer(id, node(container), wanted.generation(), DaemonPhase.STARTING, now));
        reconciler.containerAllocated(now);
        launcher.launch(container, wanted);
    }

    private void fail(String id, String reason) {
        fleet.find(id).filter(one -> !one.phase().ends()).ifPresent(one -> {
            noteFailure(one, reason);
            stop(id);
        });
    }

    private void noteFailure(DaemonContainer container, String reason) {
        LOG.warn("{} on {}: {}", container.id(), container.node(), reason);
        failures.add(container.node(), clock.millis());
        fleet.failed(container.id() + " on " + container.node() + ": " + reason);
    }

    private void stop(String id) {
        fleet.find(id).filter(one -> one.phase() != DaemonPhase.STOPPING).ifPresent(one -> {
            LOG.info("{} on {} is stopped", id, one.node());
            fleet.put(one.in(DaemonPhase.STOPPING, clock.millis()));
            manager.releaseAssignedContainer(ContainerId.fromString(id));
        });
    }

    private void ended(ContainerStatus status) {
        String id = status.getContainerId().toString();
        fleet.find(id).ifPresent(one -> {
            if (!one.phase().ends()) {
                noteEnd(one, status);
                // YARN counts containers of a lost node as ended, but a daemon there survives if only the node manager
                // has died.
                contacts.leave(id);
            }
            fleet.remove(id);
        });
    }

    private void noteEnd(DaemonContainer container, ContainerStatus status) {
        String reason = "ended with exit code " + status.getExitStatus() + ". "
                + status.getDiagnostics().strip();
        if (status.getExitStatus() == ContainerExitStatus.PREEMPTED) {
            // YARN took it for another queue, so it is not a failure.
            LOG.info("{} on {} was pre-empted", container.id(), container.node());
            fleet.failed(container.id() + " on " + container.node() + ": pre-empted");
        } else {
            noteFailure(container, reason);
        }
    }

    private String node(Container container) {
        return nodeNames.apply(container.getNodeId());
    }
}
