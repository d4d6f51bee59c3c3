package io.skep.llap.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TestOwnedNode {
    private static final int SESSION_MILLIS = (int) TestingZooKeeper.SESSION.toMillis();

    /** As after a long pause of the process: it must not be taken for an administrator who has deleted the node. */
    @Test
    void aSessionThatEndsDuringALookIsNoDeletedNode(@TempDir Path folder) throws Exception {
        AtomicBoolean expires = new AtomicBoolean();
        AtomicBoolean expired = new AtomicBoolean();
        AtomicInteger deleted = new AtomicInteger();
        try (TestingZooKeeper server = new TestingZooKeeper(folder);
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        server.connectString(), SESSION_MILLIS, SESSION_MILLIS, new RetryNTimes(10, 50))) {
            curator.start();
            CuratorFramework hooked = beforeLooks(curator, () -> {
                if (expires.compareAndSet(true, false)) {
                    expire(curator);
                    expired.set(true);
                }
            });
            try (OwnedNode node = new OwnedNode(hooked, session -> make(curator, session), () -> {
                deleted.incrementAndGet();
                return false;
            })) {
                node.start();
                assertThat(node.awaitMade(Duration.ofSeconds(30))).isTrue();
                expires.set(true);
                node.write(new byte[] {1});
                TestingZooKeeper.await(
                        "made in the next session", () -> deleted.get() > 0 || expired.get() && isThere(curator));
                assertThat(deleted).hasValue(0);
            }
        }
    }

    private static String make(CuratorFramework curator, long session) throws Exception {
        return curator.create().withMode(CreateMode.EPHEMERAL).forPath(path(session));
    }

    private static String path(long session) {
        return "/node-" + session;
    }

    private static long session(CuratorFramework curator) throws Exception {
        return curator.getZookeeperClient().getZooKeeper().getSessionId();
    }

    private static boolean isThere(CuratorFramework curator) {
        try {
            return curator.checkExists().forPath(path(session(curator))) != null;
        } catch (Exception e) {
            return false;
        }
    }

    /** Ends the session, and returns when the next one has begun. */
    private static void expire(CuratorFramework curator) {
        try {
            long before = session(curator);
            curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
            TestingZooKeeper.await("the next session", () -> {
                try {
                    return curator.getZookeeperClient().isConnected()
                            && session(curator) != before
                            && session(curator) != 0;
                } catch (Exception e) {
                    return false;
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same client, with something that happens before each look at a node. */
    private static CuratorFramework beforeLooks(CuratorFramework curator, Runnable hook) {
        return (CuratorFramework) Proxy.newProxyInstance(
                TestOwnedNode.class.getClassLoader(),
                new Class<?>[] {CuratorFramework.class},
                (self, method, given) -> {
                    if (method.getName().equals("checkExists")) {
                        hook.run();
                    }
                    try {
                        return method.invoke(curator, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
