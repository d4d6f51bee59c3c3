package io.skep.llap.client.zookeeper;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.registry.DaemonEntry;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import io.skep.llap.client.registry.DaemonRegistry;
import io.skep.llap.client.registry.EntryList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.utils.ZKPaths;

/**
 * The registry of daemons in ZooKeeper. The list is kept in memory and follows ZooKeeper's notifications. While
 * ZooKeeper is unreachable, the list stays as it was. Needs ZooKeeper 3.6 or later.
 */
public final class ZooKeeperRegistry implements DaemonRegistry {
    private final ZooKeeperClient client;
    private final String folder;
    private final CuratorCache cache;
    private final EntryList list = new EntryList();
    private final CountDownLatch loaded = new CountDownLatch(1);

    private ZooKeeperRegistry(ZooKeeperClient client, String namespace, String name) {
        this.client = client;
        this.folder = ZKPaths.makePath("/" + namespace, name, "daemons");
        this.cache = CuratorCache.build(client.curator(), folder);
    }

    /**
     * Loads the list.
     *
     * @param client stays open
     * @param namespace the node above all registries, without a slash
     * @param name the registry's name
     * @throws SkepException ZOOKEEPER_ERROR when it cannot be loaded within the connection timeout
     */
    public static ZooKeeperRegistry open(ZooKeeperClient client, String namespace, String name) {
        client.awaitConnection();
        ZooKeeperRegistry registry = new ZooKeeperRegistry(client, namespace, name);
        registry.cache
                .listenable()
                .addListener(CuratorCacheListener.builder()
                        .forAll((type, before, after) -> registry.changed())
                        .forInitialized(registry::initialized)
                        .build());
        registry.cache.start();
        try {
            long millis = client.config().connectionTimeout().toMillis();
            if (registry.loaded.await(millis, TimeUnit.MILLISECONDS)) {
                return registry;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        registry.close();
        throw client.unreachable();
    }

    private void initialized() {
        show();
        loaded.countDown();
    }

    private void changed() {
        // A partly loaded list would look as if daemons had died.
        if (loaded.getCount() == 0) {
            show();
        }
    }

    private void show() {
        list.replace(cache.stream()
                .flatMap(node -> SlotNode.entry(node.getPath(), node.getData()).stream())
                .toList());
    }

    @Override
    public List<DaemonEntry> entries() {
        return list.entries();
    }

    @Override
    public Listening listen(Consumer<List<DaemonEntry>> listener) {
        return list.listen(listener);
    }

    @Override
    public DaemonRegistration register(DaemonOffer offer) {
        SlotRegistration registration = new SlotRegistration(client, folder, offer);
        try {
            if (registration.start(client.config().connectionTimeout())) {
                return registration;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        registration.close();
        throw new SkepException(
                        StandardErrorCode.ZOOKEEPER_ERROR,
                        "the daemon at " + offer.host() + ":" + offer.rpcPort() + " found no slot in ZooKeeper's "
                                + folder)
                .withHint("see the log for what ZooKeeper answered");
    }

    @Override
    public void close() {
        cache.close();
    }
}
