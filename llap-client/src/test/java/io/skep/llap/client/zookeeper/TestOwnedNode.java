package io.skep.llap.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TestOwnedNode {
    private static final int SESSION_MILLIS = (int) TestingZooKeeper.SESSION.toMillis();

    /** Long enough that a busy machine does not lose the session during the test. */
    private static final int LONG_SESSION_MILLIS = 10_000;

    /** As after a long pause of the process: the check must not conclude that an administrator has deleted the node. */
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

    /**
     * Curator keeps one flag for the connections of all its sessions. The last event of an ended session may clear the
     * flag after the next session has set it. Code that waits for the flag would never see the connection again.
     */
    @Test
    void aLateEventOfAnEarlierSessionDoesNotHideTheConnection(@TempDir Path folder) throws Exception {
        AtomicReference<Watcher> events = new AtomicReference<>();
        try (TestingZooKeeper server = new TestingZooKeeper(folder);
                CuratorFramework curator = CuratorFrameworkFactory.builder()
                        .connectString(server.connectString())
                        .sessionTimeoutMs(LONG_SESSION_MILLIS)
                        .connectionTimeoutMs(SESSION_MILLIS)
                        .retryPolicy(new RetryNTimes(10, 50))
                        .zookeeperFactory((servers, timeout, watcher, mayReadOnly) -> {
                            events.set(watcher);
                            return new ZooKeeper(servers, timeout, watcher, mayReadOnly);
                        })
                        .build();
                CuratorFramework observer = CuratorFrameworkFactory.newClient(
                        server.connectString(), LONG_SESSION_MILLIS, LONG_SESSION_MILLIS, new RetryNTimes(10, 50))) {
            curator.start();
            observer.start();
            byte[] content = {7};
            try (OwnedNode node = new OwnedNode(curator, session -> make(curator, session), () -> true)) {
                node.start();
                assertThat(node.awaitMade(Duration.ofSeconds(30))).isTrue();
                events.get().process(new WatchedEvent(EventType.None, KeeperState.Closed, null));
                assertThat(curator.getZookeeperClient().isConnected()).isFalse();
                node.write(content);
                TestingZooKeeper.await("written", () -> has(observer, content));
            }
        }
    }

    /** Whether a node of any session contains this content. */
    private static boolean has(CuratorFramework observer, byte[] content) {
        try {
            for (String name : observer.getChildren().forPath("/")) {
                if (name.startsWith("node-") && Arrays.equals(observer.getData().forPath("/" + name), content)) {
                    return true;
                }
            }
            return false;
        } catch (Exception e) {
            return false;
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

    /** Ends the session, and returns once the next one has begun. */
    private static void expire(CuratorFramework curator) {
        try {
            long before = session(curator);
            curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
            TestingZooKeeper.await("the next session", () -> {
                try {
                    // Requesting the session first makes Curator notice that it regards a connection as lost.
                    long now = session(curator);
                    return now != before
                            && now != 0
                            && curator.getZookeeperClient().isConnected();
                } catch (Exception e) {
                    return false;
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the same client with a hook that runs before each check of a node. */
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
