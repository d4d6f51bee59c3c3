package io.skep.llap.client.zookeeper;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * A process's connection to ZooKeeper. It reconnects by itself after an outage of any length. What was registered
 * through it is then registered again. Thread-safe.
 */
public final class ZooKeeperClient implements AutoCloseable {
    private final ZooKeeperConfig config;
    private final NodeAccess access;
    private final CuratorFramework curator;
    private final Optional<LoginRetry> loginRetry;

    private ZooKeeperClient(ZooKeeperConfig config) {
        this.config = config;
        this.access = new NodeAccess(config.login().isPresent());
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(config.connectString())
                .sessionTimeoutMs(Math.toIntExact(config.sessionTimeout().toMillis()))
                .connectionTimeoutMs(Math.toIntExact(config.connectionTimeout().toMillis()))
                .retryPolicy(new ExponentialBackoffRetry(
                        Math.toIntExact(config.baseSleep().toMillis()), config.maxRetries()))
                .aclProvider(access);
        config.login().ifPresent(login -> builder.zkClientConfig(withLogin(login)));
        this.curator = builder.build();
        this.loginRetry = config.login().map(login -> new LoginRetry(curator, login.name()));
    }

    private static ZKClientConfig withLogin(ServicePrincipal login) {
        ZKClientConfig client = new ZKClientConfig();
        client.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "true");
        client.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, ZooKeeperJaas.add(login));
        return client;
    }

    /** Starts to connect, without waiting. */
    public static ZooKeeperClient open(ZooKeeperConfig config) {
        ZooKeeperClient client = new ZooKeeperClient(config);
        client.curator.start();
        return client;
    }

    /**
     * Waits for the connection.
     *
     * @throws SkepException ZOOKEEPER_ERROR after the connection timeout
     */
    public void awaitConnection() {
        try {
            int millis = Math.toIntExact(config.connectionTimeout().toMillis());
            if (!curator.blockUntilConnected(millis, TimeUnit.MILLISECONDS)) {
                throw unreachable();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable();
        }
    }

    /**
     * Returns the names of the nodes in a folder; none if the folder does not exist. Costs one round trip.
     *
     * @param folder without a slash at its start
     * @throws SkepException ZOOKEEPER_ERROR
     */
    public List<String> names(String folder) {
        try {
            return List.copyOf(curator.getChildren().forPath("/" + folder));
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new SkepException(
                    StandardErrorCode.ZOOKEEPER_ERROR, "ZooKeeper cannot list /" + folder + ": " + e.getMessage(), e);
        }
    }

    SkepException unreachable() {
        String problem = "ZooKeeper cannot be reached at " + config.connectString();
        String hint = "check hive.zookeeper.quorum and hive.zookeeper.client.port";
        return config.login()
                .map(login -> new SkepException(
                                StandardErrorCode.ZOOKEEPER_ERROR, problem + ", or refuses " + login.name())
                        .withHint(hint + ", or set hive.zookeeper.kerberos.enabled=false for one without Kerberos"))
                .orElseGet(() -> new SkepException(StandardErrorCode.ZOOKEEPER_ERROR, problem).withHint(hint));
    }

    /** Returns who may do what with the nodes of this process. */
    NodeAccess access() {
        return access;
    }

    CuratorFramework curator() {
        return curator;
    }

    ZooKeeperConfig config() {
        return config;
    }

    /** Ends the session. The nodes that are kept through it disappear at once, if ZooKeeper can be reached. */
    @Override
    public void close() {
        loginRetry.ifPresent(LoginRetry::close);
        curator.close();
    }
}
