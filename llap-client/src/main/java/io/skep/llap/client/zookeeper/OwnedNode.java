package io.skep.llap.client.zookeeper;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A node that exists as long as its process. Ephemeral nodes belong to a ZooKeeper session, so the node is created
 * again after a session is lost. One thread creates, checks and writes the node. Changes of the node and of the
 * connection wake the thread. It also checks every few seconds, because a watch may be lost with the connection.
 */
final class OwnedNode implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(OwnedNode.class.getName());
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(5);
    private static final long STOP_SECONDS = 10;

    /** Creates the node for a session, or finds that it exists. */
    interface Maker {
        /** @return the node's path */
        String make(long session) throws Exception;
    }

    private record Place(String path, long session) {}

    /** A connected session that Curator regards as disconnected. */
    private record Overlooked(long session, long sinceNanos) {}

    private final CuratorFramework curator;
    private final Maker maker;
    private final BooleanSupplier whenDeleted;
    private final ConnectionStateListener connection = (client, state) -> connectionIs(state);
    private final CuratorWatcher watcher = event -> look();
    private final CountDownLatch made = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ScheduledExecutorService thread;

    /** This field and the next are used only by the thread. */
    private boolean failing;

    private @Nullable Overlooked overlooked;

    private volatile @Nullable Place place;
    private final AtomicReference<byte @Nullable []> unwritten = new AtomicReference<>();

    /** @param whenDeleted called when somebody else has deleted the node; returns whether to create it again */
    OwnedNode(CuratorFramework curator, Maker maker, BooleanSupplier whenDeleted) {
        this.curator = curator;
        this.maker = maker;
        this.whenDeleted = whenDeleted;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("zookeeper-node").factory());
    }

    void start() {
        curator.getConnectionStateListenable().addListener(connection);
        var _ = thread.scheduleWithFixedDelay(this::keep, 0, LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until the node has been created. Returns false when the time runs out. */
    boolean awaitMade(Duration patience) throws InterruptedException {
        return made.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Replaces the content, at once or as soon as ZooKeeper can be reached. The maker creates new nodes with the new
     * content.
     */
    void write(byte[] content) {
        unwritten.set(content);
        look();
    }

    private void connectionIs(ConnectionState state) {
        if (state.isConnected()) {
            look();
        }
    }

    private void look() {
        try {
            thread.execute(this::keep);
        } catch (RejectedExecutionException closing) {
            LOG.log(System.Logger.Level.DEBUG, "a change of a node came after its end", closing);
        }
    }

    private void keep() {
        if (closed.get()) {
            return;
        }
        try {
            if (!isConnected()) {
                failed("there is no connection");
                return;
            }
            Place known = place;
            boolean gone = known != null && known.session() == session() && !isMine(known);
            // A check may outlive its session. It is then answered in the next session, where the node does not exist
            // yet.
            long session = session();
            if (known != null && gone && known.session() == session) {
                place = null;
                if (!whenDeleted.getAsBoolean()) {
                    closed.set(true);
                    return;
                }
            }
            make(session);
            writeContent();
            failing = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            failed(e.toString());
        }
    }

    /**
     * Curator keeps one flag for the connections of all its sessions. The last event of an ended session may clear the
     * flag after the next session has set it, and nothing sets it again. In that case this method starts another
     * session. The flag may also lag briefly behind its session, which does not count.
     */
    private boolean isConnected() throws Exception {
        CuratorZookeeperClient client = curator.getZookeeperClient();
        ZooKeeper handle = client.getZooKeeper();
        if (client.isConnected() || !handle.getState().isConnected()) {
            overlooked = null;
            return client.isConnected();
        }
        long now = System.nanoTime();
        Overlooked known = overlooked;
        if (known == null || known.session() != handle.getSessionId()) {
            overlooked = new Overlooked(handle.getSessionId(), now);
        } else if (now - known.sinceNanos() >= LOOK_INTERVAL.toNanos()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "beginning another session of ZooKeeper, as Curator does not use this one");
            overlooked = null;
            client.reset();
        }
        return false;
    }

    private long session() throws Exception {
        return curator.getZookeeperClient().getZooKeeper().getSessionId();
    }

    /** Logs a failure once per outage, since ZooKeeper's client logs enough. */
    private void failed(String why) {
        if (!failing) {
            failing = true;
            LOG.log(System.Logger.Level.WARNING, "not registered in ZooKeeper now, trying again: " + why);
        }
    }

    private void make(long session) throws Exception {
        Place known = place;
        if (known == null || known.session() != session) {
            Place now = new Place(maker.make(session), session);
            place = now;
            if (isMine(now)) {
                LOG.log(System.Logger.Level.INFO, "registered in ZooKeeper as " + now.path());
                made.countDown();
            }
        }
    }

    /** Also sets the watch. */
    private boolean isMine(Place known) throws Exception {
        Stat stat = curator.checkExists().usingWatcher(watcher).forPath(known.path());
        return stat != null && stat.getEphemeralOwner() == known.session();
    }

    private void writeContent() throws Exception {
        byte[] content = unwritten.get();
        Place known = place;
        if (content != null && known != null) {
            curator.setData().forPath(known.path(), content);
            unwritten.compareAndSet(content, null);
        }
    }

    /** Deletes the node if ZooKeeper can be reached. Otherwise the node disappears with the session. */
    @Override
    public void close() {
        closed.set(true);
        curator.getConnectionStateListenable().removeListener(connection);
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                delete();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void delete() throws InterruptedException {
        Place known = place;
        if (known == null || !curator.getZookeeperClient().isConnected()) {
            return;
        }
        try {
            Stat stat = curator.checkExists().forPath(known.path());
            if (stat != null && stat.getEphemeralOwner() == known.session()) {
                curator.delete().withVersion(stat.getVersion()).forPath(known.path());
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (KeeperException.NoNodeException gone) {
            LOG.log(System.Logger.Level.DEBUG, "the node is gone", gone);
        } catch (Exception e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a node in ZooKeeper stays until its session ends: " + known.path(),
                    e);
        }
    }
}
