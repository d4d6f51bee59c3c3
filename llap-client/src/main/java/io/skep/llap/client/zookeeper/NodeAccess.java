package io.skep.llap.client.zookeeper;

import java.util.Arrays;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;

/**
 * Who may do what with Skep's nodes. With a login only the process's own user creates, changes and deletes them.
 * Everybody reads them, as in Hive: released clients find servers there without a login, and nothing in them is secret.
 * Without a login they are open to everybody.
 */
final class NodeAccess implements ACLProvider {
    /**
     * ZooKeeper replaces the creator by the user of the session, and refuses it in a session without one. Its client
     * looks for null in this list, which lists of the JDK that have none do not allow.
     */
    private static final List<ACL> CLOSED =
            Arrays.asList(Ids.CREATOR_ALL_ACL.getFirst(), Ids.READ_ACL_UNSAFE.getFirst());

    private final boolean closed;

    /** @param closed whether the process logs in */
    NodeAccess(boolean closed) {
        this.closed = closed;
    }

    @Override
    public List<ACL> getDefaultAcl() {
        return closed ? CLOSED : Ids.OPEN_ACL_UNSAFE;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
        return getDefaultAcl();
    }

    /**
     * Closes a folder, its parents and its children to others, if the process logs in. They may come from a time
     * without Kerberos, or from somebody else. A node that not everybody may change stays as it is.
     */
    void restrict(CuratorFramework curator, String folder) throws Exception {
        if (!closed) {
            return;
        }
        for (String path = folder; !path.equals(ZKPaths.PATH_SEPARATOR); path = parent(path)) {
            restrictNode(curator, path);
        }
        for (String child : curator.getChildren().forPath(folder)) {
            restrictNode(curator, ZKPaths.makePath(folder, child));
        }
    }

    private static String parent(String path) {
        return ZKPaths.getPathAndNode(path).getPath();
    }

    private static void restrictNode(CuratorFramework curator, String path) throws Exception {
        try {
            if (curator.getACL().forPath(path).stream().anyMatch(NodeAccess::isOpen)) {
                curator.setACL().withACL(CLOSED).forPath(path);
                System.getLogger(NodeAccess.class.getName())
                        .log(System.Logger.Level.INFO, "closed to others in ZooKeeper: " + path);
            }
        } catch (KeeperException.NoNodeException gone) {
            System.getLogger(NodeAccess.class.getName())
                    .log(System.Logger.Level.DEBUG, "a node went away before it was closed", gone);
        }
    }

    private static boolean isOpen(ACL acl) {
        return acl.getId().equals(Ids.ANYONE_ID_UNSAFE) && (acl.getPerms() & ~Perms.READ) != 0;
    }
}
