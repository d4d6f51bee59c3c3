package io.skep.itests.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Skep's nodes in ZooKeeper as a client without a login sees them. */
final class OpenNodes {
    private static final int SESSION_MILLIS = 30_000;
    private static final List<String> FOLDERS = List.of("/hiveserver2", "/skep-llap", "/skep-llap/secure/daemons");
    private static final ACL OWNER = new ACL(Perms.ALL, new Id("sasl", "hive"));
    private static final ACL READERS = Ids.READ_ACL_UNSAFE.getFirst();

    private OpenNodes() {}

    private static ZooKeeper anonymous(String address) throws Exception {
        return new ZooKeeper(address, SESSION_MILLIS, _ -> {});
    }

    /** Makes folders as an earlier release without Kerberos made them, and a node that such a release has left. */
    static void create(String address) throws Exception {
        ZooKeeper client = anonymous(address);
        try {
            for (String path : List.of(
                    "/hiveserver2",
                    "/skep-llap",
                    "/skep-llap/secure",
                    "/skep-llap/secure/daemons",
                    "/skep-llap/secure/daemons/earlier")) {
                client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
        } finally {
            client.close();
        }
    }

    /** @param secret what is in no node */
    static void areClosed(String address, String secret) throws Exception {
        ZooKeeper client = anonymous(address);
        try {
            List<String> paths = FOLDERS.stream()
                    .flatMap(folder -> tree(client, folder).stream())
                    .distinct()
                    .toList();
            assertThat(paths)
                    .contains("/skep-llap/secure/daemons/earlier")
                    .anyMatch(path -> path.startsWith("/hiveserver2/serverUri="))
                    .anyMatch(path -> path.startsWith("/skep-llap/secure/daemons/slot-"));
            for (String path : paths) {
                assertThat(client.getACL(path, null)).as(path).containsExactlyInAnyOrder(OWNER, READERS);
                assertThat(new String(client.getData(path, false, null), StandardCharsets.UTF_8))
                        .doesNotContain(secret);
                refused(() -> client.create(path + "/mine", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                refused(() -> client.setData(path, new byte[0], -1));
                refused(() -> client.setACL(path, Ids.OPEN_ACL_UNSAFE, -1));
                if (path.lastIndexOf('/') > 0) {
                    refused(() -> client.delete(path, -1));
                }
            }
        } finally {
            client.close();
        }
    }

    private static List<String> tree(ZooKeeper client, String folder) {
        try {
            return ZKUtil.listSubTreeBFS(client, folder);
        } catch (KeeperException | InterruptedException e) {
            throw new AssertionError(folder, e);
        }
    }

    private static void refused(ThrowingCallable change) {
        assertThatThrownBy(change).isInstanceOf(KeeperException.NoAuthException.class);
    }
}
