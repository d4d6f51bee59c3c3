package io.skep.llap.client.zookeeper;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * Begins another session after a login has failed, for example since the KDC is down. ZooKeeper's client never logs in
 * again within a session: it goes on without a login, or stops.
 */
final class LoginRetry implements CuratorListener, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LoginRetry.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final CuratorFramework curator;
    private final String principal;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("zookeeper-login").factory());

    /** @param principal with which the client logs in */
    LoginRetry(CuratorFramework curator, String principal) {
        this.curator = curator;
        this.principal = principal;
        curator.getCuratorListenable().addListener(this);
    }

    @Override
    public void eventReceived(CuratorFramework client, CuratorEvent event) {
        if (event.getType() == CuratorEventType.WATCHED
                && event.getWatchedEvent().getState() == KeeperState.AuthFailed) {
            LOG.log(System.Logger.Level.WARNING, principal + " could not log in to ZooKeeper, trying again");
            try {
                var _ = thread.schedule(this::begin, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closing) {
                LOG.log(System.Logger.Level.DEBUG, "a login failed when the client was closed", closing);
            }
        }
    }

    private void begin() {
        try {
            curator.getZookeeperClient().reset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.log(System.Logger.Level.WARNING, "no other session of ZooKeeper could be begun", e);
        }
    }

    @Override
    public void close() {
        curator.getCuratorListenable().removeListener(this);
        thread.shutdownNow();
    }
}
