package io.skep.tez.dag;

import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.placement.DaemonRing;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The daemons that one query runs on. Tasks are laid out over slots, which are the daemons' in turn.
 *
 * @param key by which its tasks find them
 */
public record TezDaemons(String key, List<DaemonConnection> connections) {
    /** How much more than an equal share a daemon may get. */
    private static final double BOUND = 1.25;

    public TezDaemons {
        connections = List.copyOf(connections);
    }

    /** Whether none of the daemons has room: each has a step that waits for each executor, or is lost. */
    public static boolean areFull(List<DaemonConnection> daemons) {
        return daemons.stream()
                .allMatch(daemon -> daemon.isLost()
                        || daemon.load().waiting() >= daemon.identity().executors());
    }

    /** The number of the daemon that a slot belongs to. */
    int ofSlot(int slot) {
        return slot % connections.size();
    }

    DaemonConnection atSlot(int slot) {
        return connections.get(ofSlot(slot));
    }

    /** Done when all daemons know what they were told. Never fails. */
    CompletableFuture<?> settle() {
        return CompletableFuture.allOf(
                connections.stream().map(DaemonConnection::settle).toArray(CompletableFuture<?>[]::new));
    }

    /** A slot for each split: of the daemon that is its home, and of that daemon's one after the other. */
    int[] assign(List<Split> splits, int slots) {
        int count = connections.size();
        int[] homes = homes(splits);
        int[] next = new int[count];
        for (int i = 0; i < homes.length; i++) {
            int home = homes[i];
            int slot = home + count * next[home];
            next[home]++;
            if (slot + count >= slots) {
                next[home] = 0;
            }
            homes[i] = slot;
        }
        return homes;
    }

    /** The home of each split; the next daemon on the ring where the home has its share of the query already. */
    private int[] homes(List<Split> splits) {
        List<DaemonIdentity> identities =
                connections.stream().map(DaemonConnection::identity).toList();
        DaemonRing ring = new DaemonRing(identities);
        double executors =
                identities.stream().mapToInt(DaemonIdentity::executors).sum();
        double bytes = splits.stream().mapToLong(TezDaemons::weight).sum();
        double[] room = identities.stream()
                .mapToDouble(daemon -> BOUND * bytes * daemon.executors() / executors)
                .toArray();
        int[] homes = new int[splits.size()];
        int[] order = new int[connections.size()];
        for (int i = 0; i < homes.length; i++) {
            Split split = splits.get(i);
            ring.walk(DaemonRing.key(split.file().path(), split.start()), order);
            homes[i] = order[0];
            for (int daemon : order) {
                if (room[daemon] >= weight(split)) {
                    homes[i] = daemon;
                    break;
                }
            }
            room[homes[i]] -= weight(split);
        }
        return homes;
    }

    private static long weight(Split split) {
        return Math.max(1, split.length());
    }
}
