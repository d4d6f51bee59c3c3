package io.skep.tez.dag;

import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.placement.DaemonRing;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The daemons that one query runs on. Slots are assigned to the daemons in turn, and tasks to slots.
 *
 * @param key by which its tasks find them
 */
public record TezDaemons(String key, List<DaemonConnection> connections) {
    /** The factor by which a daemon's share may exceed an equal share. */
    private static final double BOUND = 1.25;

    public TezDaemons {
        connections = List.copyOf(connections);
    }

    /**
     * Whether none of the daemons has room. A daemon has none when at least as many steps wait as it has executors, or
     * when it is lost.
     */
    public static boolean areFull(List<DaemonConnection> daemons) {
        return daemons.stream()
                .allMatch(daemon -> daemon.isLost()
                        || daemon.load().waiting() >= daemon.identity().executors());
    }

    /** Returns the number of the daemon that a slot belongs to. */
    int ofSlot(int slot) {
        return slot % connections.size();
    }

    DaemonConnection atSlot(int slot) {
        return connections.get(ofSlot(slot));
    }

    /** Completes when all daemons have processed what was sent to them. Never fails. */
    CompletableFuture<?> settle() {
        return CompletableFuture.allOf(
                connections.stream().map(DaemonConnection::barrier).toArray(CompletableFuture<?>[]::new));
    }

    /** Returns a slot for each split, on the daemon that is its home. Each daemon's slots are used in turn. */
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

    /**
     * Returns the home of each split. When the home already has its share of the query, the next daemon on the ring is
     * used.
     */
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
