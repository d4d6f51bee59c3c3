package io.skep.llap.client.zookeeper;

import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.registry.DaemonCapacity;
import io.skep.llap.client.registry.DaemonEntry;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import io.skep.llap.client.registry.InProcessRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * A daemon's slot as an ephemeral node. So ZooKeeper itself ensures that no two incarnations hold one slot. A daemon
 * that comes back after a lost session first asks for its old slot.
 */
final class SlotRegistration implements DaemonRegistration {
    private static final System.Logger LOG = System.getLogger(SlotRegistration.class.getName());
    private static final int NONE = -1;

    private final CuratorFramework curator;
    private final NodeAccess access;
    private final String folder;
    private final OwnedNode node;
    private volatile DaemonOffer offer;
    private volatile int slot = NONE;

    /** The content of a slot. */
    private record Taken(String path, Stat stat, Optional<DaemonEntry> entry) {}

    SlotRegistration(ZooKeeperClient client, String folder, DaemonOffer offer) {
        this.curator = client.curator();
        this.access = client.access();
        this.folder = folder;
        this.offer = offer;
        this.node = new OwnedNode(curator, this::claim, () -> true);
    }

    /** Waits until a slot has been found. Returns false when the time runs out. */
    boolean start(Duration patience) throws InterruptedException {
        node.start();
        return node.awaitMade(patience);
    }

    @Override
    public DaemonIdentity identity() {
        return offer.inSlot(slot).identity();
    }

    @Override
    public synchronized void updateCapacity(DaemonCapacity capacity) {
        offer = offer.withCapacity(capacity);
        node.write(SlotNode.content(offer));
    }

    @Override
    public void close() {
        node.close();
    }

    private String claim(long session) throws Exception {
        makeFolder();
        while (true) {
            Map<Integer, Taken> taken = taken();
            int wanted = wanted(taken);
            Taken before = taken.get(wanted);
            boolean mine = before != null && before.stat().getEphemeralOwner() == session;
            if (mine || take(wanted, Optional.ofNullable(before))) {
                slot = wanted;
                return path(wanted);
            }
        }
    }

    private void makeFolder() throws Exception {
        try {
            curator.create().creatingParentsIfNeeded().forPath(folder, new byte[0]);
        } catch (KeeperException.NodeExistsException e) {
            LOG.log(System.Logger.Level.DEBUG, "another daemon has made {0}", folder);
        }
        access.restrict(curator, folder);
    }

    private Map<Integer, Taken> taken() throws Exception {
        Map<Integer, Taken> taken = new HashMap<>();
        for (String name : curator.getChildren().forPath(folder)) {
            Optional<Integer> number = SlotNode.slot(name);
            if (number.isPresent()) {
                String path = ZKPaths.makePath(folder, name);
                Stat stat = new Stat();
                try {
                    byte[] content = curator.getData().storingStatIn(stat).forPath(path);
                    taken.put(number.get(), new Taken(path, stat, SlotNode.entry(path, content)));
                } catch (KeeperException.NoNodeException gone) {
                    taken.remove(number.get());
                }
            }
        }
        return taken;
    }

    /**
     * Returns the slot that an earlier session or an earlier incarnation of this daemon still holds, or else a free
     * one.
     */
    private int wanted(Map<Integer, Taken> taken) {
        for (Map.Entry<Integer, Taken> entry : taken.entrySet()) {
            if (entry.getValue().entry().filter(this::isEarlier).isPresent()) {
                return entry.getKey();
            }
        }
        boolean sameAgain = slot != NONE && !taken.containsKey(slot);
        return sameAgain ? slot : InProcessRegistry.lowestFree(taken.keySet());
    }

    /**
     * Whether an entry belongs to an earlier session or incarnation of this daemon. Another incarnation at the same
     * address is over, because a port belongs to one process. Only a daemon without a slot concludes this. So two
     * daemons that claim one address by mistake do not evict each other forever.
     */
    private boolean isEarlier(DaemonEntry other) {
        return other.identity().incarnation().equals(offer.incarnation())
                || (slot == NONE && other.hasSameAddress(offer));
    }

    /** Claims the slot if it is unchanged since it was read. Returns whether that succeeded. */
    private boolean take(int wanted, Optional<Taken> before) throws Exception {
        byte[] content = SlotNode.content(offer);
        try {
            if (before.isEmpty()) {
                curator.create().withMode(CreateMode.EPHEMERAL).forPath(path(wanted), content);
                return true;
            }
            int version = before.get().stat().getVersion();
            // One transaction, so that no reader sees the slot empty.
            curator.transaction()
                    .forOperations(
                            curator.transactionOp()
                                    .delete()
                                    .withVersion(version)
                                    .forPath(before.get().path()),
                            curator.transactionOp()
                                    .create()
                                    .withMode(CreateMode.EPHEMERAL)
                                    .forPath(path(wanted), content));
            return true;
        } catch (KeeperException.NodeExistsException
                | KeeperException.NoNodeException
                | KeeperException.BadVersionException e) {
            return false;
        }
    }

    private String path(int number) {
        return ZKPaths.makePath(folder, SlotNode.name(number));
    }
}
