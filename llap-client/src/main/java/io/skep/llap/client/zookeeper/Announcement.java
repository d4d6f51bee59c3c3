package io.skep.llap.client.zookeeper;

import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * A node through which others find a process. ZooKeeper appends a number to its name. The node is created as soon as
 * ZooKeeper can be reached, and again after a lost session. If somebody deletes the node, it stays deleted.
 */
public final class Announcement implements AutoCloseable {
    private final CuratorFramework curator;
    private final NodeAccess access;
    private final String folder;
    private final String who;
    private final String prefix;
    private final byte[] content;
    private final OwnedNode node;

    private Announcement(
            ZooKeeperClient client, String folder, String who, String prefix, String content, Runnable whenDeleted) {
        this.curator = client.curator();
        this.access = client.access();
        this.folder = folder;
        this.who = who;
        this.prefix = prefix;
        this.content = content.getBytes(StandardCharsets.UTF_8);
        this.node = new OwnedNode(curator, this::make, () -> {
            Thread.ofVirtual().name("deregistered").start(whenDeleted);
            return false;
        });
    }

    /**
     * Starts the announcement without waiting for ZooKeeper.
     *
     * @param client stays open
     * @param namespace the node that contains all announcements of a kind, without a slash at its start
     * @param who prefix of the names of this process's nodes; nodes with it from earlier incarnations are deleted
     * @param name the whole name up to the number, begins with {@code who}
     * @param whenDeleted runs on a thread of its own when somebody else has deleted the node
     */
    public static Announcement start(
            ZooKeeperClient client, String namespace, String who, String name, String content, Runnable whenDeleted) {
        Announcement announcement = new Announcement(client, "/" + namespace, who, name, content, whenDeleted);
        announcement.node.start();
        return announcement;
    }

    private String make(long session) throws Exception {
        makeFolder();
        for (String name : curator.getChildren().forPath(folder)) {
            String path = ZKPaths.makePath(folder, name);
            if (name.startsWith(who)) {
                Stat stat = curator.checkExists().forPath(path);
                if (stat != null && stat.getEphemeralOwner() == session) {
                    return path;
                }
                deleteEarlier(path);
            }
        }
        return curator.create()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath(ZKPaths.makePath(folder, prefix), content);
    }

    private void makeFolder() throws Exception {
        if (curator.checkExists().forPath(folder) == null) {
            curator.create().orSetData().creatingParentsIfNeeded().forPath(folder, new byte[0]);
        }
        access.restrict(curator, folder);
    }

    private void deleteEarlier(String path) throws Exception {
        try {
            curator.delete().forPath(path);
        } catch (KeeperException.NoNodeException gone) {
            System.getLogger(Announcement.class.getName())
                    .log(System.Logger.Level.DEBUG, "the earlier session has ended by itself", gone);
        }
    }

    /** Removes the node. */
    @Override
    public void close() {
        node.close();
    }
}
