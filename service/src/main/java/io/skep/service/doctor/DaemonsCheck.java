package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.client.zookeeper.ZooKeeperDaemons;
import io.skep.service.server.ServerConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the daemons in separate processes: whether they can be found, trust this process, use its protocol version,
 * and have the same time.
 */
record DaemonsCheck(ServerConfig config) implements Check {
    private static final String START = "start some with bin/skep llap start";

    @Override
    public String part() {
        return "daemons";
    }

    @Override
    public List<Finding> run() throws InterruptedException {
        if (!config.remoteDaemons().daemons().isEmpty()) {
            return examine(config.remoteDaemons().daemons());
        }
        if (config.registry().name().isEmpty()) {
            return List.of(Finding.note(
                    part(),
                    "one in the server's own process: neither hive.llap.daemon.service.hosts"
                            + " nor skep.llap.daemons is set"));
        }
        try (ZooKeeperDaemons known = ZooKeeperDaemons.connect(config.registry())) {
            List<DaemonEndpoint> registered = known.current();
            return registered.isEmpty()
                    ? List.of(Finding.failure(
                            part(),
                            "none is registered in ZooKeeper as @"
                                    + config.registry().name().get(),
                            START))
                    : examine(registered);
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "see that ZooKeeper is up"));
        }
    }

    private List<Finding> examine(List<DaemonEndpoint> endpoints) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        Map<Integer, DaemonEndpoint> slots = new HashMap<>();
        try (RpcThreads threads = new RpcThreads("doctor")) {
            DaemonConnector connector =
                    new DaemonConnector(config.rpc(), threads, new PageCodec(BatchCodec::encode, BatchCodec::decode));
            for (DaemonEndpoint endpoint : endpoints) {
                Instant before = Instant.now();
                try (RemoteDaemon daemon = connector.connect(endpoint, Optional.empty())) {
                    DaemonIdentity identity =
                            daemon.connected().get(config.rpc().timeout().toNanos(), TimeUnit.NANOSECONDS);
                    findings.addAll(healthy(daemon, identity, before));
                    Optional.ofNullable(slots.put(identity.slot(), endpoint))
                            .ifPresent(other -> findings.add(sameSlot(endpoint, other, identity.slot())));
                } catch (ExecutionException e) {
                    findings.add(failed(endpoint, e.getCause()));
                } catch (TimeoutException e) {
                    findings.add(failed(endpoint, e));
                }
            }
        } catch (SkepException e) {
            // The secret or a certificate cannot be read.
            findings.add(Finding.failure(part(), e, "see the message"));
        }
        return findings;
    }

    private List<Finding> healthy(RemoteDaemon daemon, DaemonIdentity identity, Instant before) {
        List<Finding> findings = new ArrayList<>();
        long millis = before.until(Instant.now()).toMillis();
        findings.add(Finding.ok(
                part(),
                daemon.endpoint() + " answers in " + millis + " ms: slot " + identity.slot() + ", "
                        + identity.executors() + " executors"));
        Clocks.compare(daemon.endpoint().toString(), before, daemon.clock(), Instant.now())
                .ifPresent(findings::add);
        return findings;
    }

    private Finding sameSlot(DaemonEndpoint one, DaemonEndpoint other, int slot) {
        return Finding.warning(
                part(),
                one + " and " + other + " have the same slot " + slot
                        + ": they share the home of the same ranges of files",
                "give each its own skep.llap.slot, or let them register in ZooKeeper");
    }

    private Finding failed(DaemonEndpoint endpoint, @Nullable Throwable cause) {
        String remedy = "see whether it runs, what its log says, and whether a firewall is between; " + START;
        return cause instanceof SkepException error
                ? Finding.failure(
                        part(),
                        endpoint + ": " + error.getMessage(),
                        error.hint().orElse(remedy))
                : Finding.failure(part(), endpoint + " does not answer", remedy);
    }
}
