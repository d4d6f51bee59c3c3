package io.skep.bench.simulation;

import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.registry.DaemonCapacity;
import io.skep.llap.client.registry.DaemonEntry;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import io.skep.llap.client.registry.InProcessRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The machines of the simulation: daemons that live, hang, die and are restarted, the registry that lists them, and
 * each server's view of it.
 */
final class SimulatedCluster {
    /** A daemon's place, independent of its incarnation. */
    private static final class Machine {
        final int number;
        final double slowness;
        SimulatedDaemon daemon;
        DaemonRegistration registration;

        Machine(int number, double slowness, SimulatedDaemon daemon, DaemonRegistration registration) {
            this.number = number;
            this.slowness = slowness;
            this.daemon = daemon;
            this.registration = registration;
        }
    }

    private final SimulationPlan plan;
    private final VirtualTime time;
    private final Random random;
    private final Tally tally;
    private final SimulatedExchange exchange = new SimulatedExchange();
    private final InProcessRegistry registry = new InProcessRegistry();
    private final List<Machine> machines = new ArrayList<>();
    private final Map<String, SimulatedDaemon> lives = new HashMap<>();
    private final List<Map<String, SimulatedConnection>> connections = new ArrayList<>();
    private final List<List<DaemonConnection>> heard = new ArrayList<>();
    private int incarnations;

    SimulatedCluster(SimulationPlan plan, VirtualTime time, Random random, Tally tally) {
        this.plan = plan;
        this.time = time;
        this.random = random;
        this.tally = tally;
        for (int i = 0; i < plan.daemons(); i++) {
            double slowness = i < plan.slow() ? 1 + 3 * random.nextDouble() : 1;
            DaemonRegistration registration = register(i);
            machines.add(new Machine(i, slowness, life(registration, slowness), registration));
        }
        for (int server = 0; server < plan.servers(); server++) {
            connections.add(new HashMap<>());
            heard.add(List.of());
            hear(server, registry.entries());
        }
        // A server learns of a change when ZooKeeper notifies it, with a delay.
        registry.listen(this::changed);
    }

    private DaemonRegistration register(int machine) {
        String incarnation = "life " + incarnations++;
        Set<Integer> taken = new HashSet<>();
        registry.entries().forEach(entry -> taken.add(entry.identity().slot()));
        DaemonRegistration registration = registry.register(new DaemonOffer(
                incarnation,
                "machine" + machine,
                1,
                0,
                new DaemonCapacity(plan.executors(), 1L << 30, SimulationPlan.CACHE_BYTES)));
        tally.check(
                !taken.contains(registration.identity().slot()),
                "slot " + registration.identity().slot() + " was given away twice");
        return registration;
    }

    private SimulatedDaemon life(DaemonRegistration registration, double slowness) {
        SimulatedDaemon daemon = new SimulatedDaemon(registration.identity(), time, random, tally, slowness);
        lives.put(daemon.identity.incarnation(), daemon);
        return daemon;
    }

    private void changed(List<DaemonEntry> entries) {
        Set<Integer> slots = new HashSet<>();
        entries.forEach(entry -> tally.check(slots.add(entry.identity().slot()), "a slot is listed twice: " + entry));
        for (int server = 0; server < plan.servers(); server++) {
            int hearing = server;
            time.after(
                    1_000_000L + random.nextInt(random.nextInt(5) == 0 ? 2_000_000_000 : 50_000_000),
                    () -> hear(hearing, registry.entries()));
        }
    }

    private void hear(int server, List<DaemonEntry> entries) {
        Map<String, SimulatedConnection> known = connections.get(server);
        List<DaemonConnection> live = new ArrayList<>();
        for (DaemonEntry entry : entries) {
            SimulatedDaemon daemon = lives.get(entry.identity().incarnation());
            if (daemon != null) {
                live.add(known.computeIfAbsent(entry.identity().incarnation(), ignored -> connect(daemon)));
            }
        }
        heard.set(server, List.copyOf(live));
    }

    private SimulatedConnection connect(SimulatedDaemon daemon) {
        SimulatedConnection connection = new SimulatedConnection(daemon, time, random, tally, exchange);
        if (daemon.isDead()) {
            time.after(1_000_000, connection::lose);
        }
        return connection;
    }

    /** Returns the daemons that a server knows. */
    List<DaemonConnection> daemons(int server) {
        return heard.get(server);
    }

    /** Kills a daemon's process. Its connections break, some immediately, some silently. It is restarted. */
    void kill() {
        Machine machine = machines.get(random.nextInt(machines.size()));
        if (!machine.daemon.isDead()) {
            replace(machine, machine.daemon, random.nextBoolean() ? 1_000_000 : SimulationPlan.RPC_TIMEOUT);
            time.after(
                    random.nextInt(1_000_000_000) * (long) (1 + random.nextInt(20)),
                    () -> startAgain(machine, machine.daemon));
        }
    }

    private void replace(Machine machine, SimulatedDaemon life, long noticed) {
        life.die();
        lose(life, noticed);
        DaemonRegistration registration = machine.registration;
        time.after(SimulationPlan.REGISTRY_TIMEOUT, registration::close);
    }

    private void lose(SimulatedDaemon life, long noticed) {
        time.after(noticed, () -> {
            exchange.lost(life.identity);
            connections.forEach(known -> {
                SimulatedConnection connection = known.get(life.identity.incarnation());
                if (connection != null) {
                    connection.lose();
                }
            });
        });
    }

    private void startAgain(Machine machine, SimulatedDaemon before) {
        if (machine.daemon == before) {
            machine.registration.close();
            machine.registration = register(machine.number);
            machine.daemon = life(machine.registration, machine.slowness);
        }
    }

    /**
     * Suspends a daemon's process for some time. If that exceeds its clients' timeout, the daemon finds itself lost and
     * restarts.
     */
    void hang() {
        Machine machine = machines.get(random.nextInt(machines.size()));
        SimulatedDaemon life = machine.daemon;
        if (life.isDead()) {
            return;
        }
        long nanos = (long) (random.nextDouble() * 3 * SimulationPlan.RPC_TIMEOUT);
        life.hang(nanos);
        if (nanos > SimulationPlan.RPC_TIMEOUT) {
            lose(life, SimulationPlan.RPC_TIMEOUT);
            time.after(nanos, () -> {
                if (!life.isDead()) {
                    life.die();
                    startAgain(machine, life);
                }
            });
        }
    }

    /** Checks that no live daemon holds anything of a query, and that all slots are the lowest available ones. */
    void checkEnd() {
        machines.forEach(machine -> tally.check(
                machine.daemon.isDead() || !machine.daemon.hasTasks(), machine.daemon.identity + " still has tasks"));
        registry.entries()
                .forEach(entry -> tally.check(
                        entry.identity().slot() < plan.daemons(), "a slot beyond the number of daemons: " + entry));
    }
}
