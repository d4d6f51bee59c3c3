package io.skep.metastore.hive;

import io.skep.metastore.connector.DataConnector;
import io.skep.metastore.connector.DataConnectorStore;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.jspecify.annotations.NullUnmarked;

/** Reads and writes the table DATACONNECTORS by Hive's library. */
@NullUnmarked
final class HiveDataConnectors implements DataConnectorStore {
    private final StorePool stores;

    HiveDataConnectors(StorePool stores) {
        this.stores = stores;
    }

    @Override
    public List<String> names() {
        return stores.read("list the data connectors", RawStore::getAllDataConnectorNames).stream()
                .sorted()
                .toList();
    }

    @Override
    public Optional<DataConnector> find(String name) {
        return stores.read("read data connector " + name, store -> find(store, name));
    }

    /** The library rolls back the transaction around a look-up of a connector that does not exist. */
    private static Optional<DataConnector> find(RawStore store, String name) throws Exception {
        return store.getAllDataConnectorNames().contains(name)
                ? Optional.of(fromThrift(store.getDataConnector(name)))
                : Optional.empty();
    }

    @Override
    public boolean create(DataConnector connector) {
        return stores.write("create data connector " + connector.name(), store -> {
            if (find(store, connector.name()).isPresent()) {
                return false;
            }
            var created = toThrift(connector);
            created.setCreateTime(Math.toIntExact(System.currentTimeMillis() / 1000));
            store.createDataConnector(created);
            return true;
        });
    }

    @Override
    public boolean alter(String name, UnaryOperator<DataConnector> change) {
        return stores.write("change data connector " + name, store -> {
            Optional<DataConnector> before = find(store, name);
            if (before.isPresent()) {
                store.alterDataConnector(name, toThrift(change.apply(before.get())));
            }
            return before.isPresent();
        });
    }

    @Override
    public boolean drop(String name) {
        return stores.write("drop data connector " + name, store -> {
            boolean exists = find(store, name).isPresent();
            if (exists) {
                store.dropDataConnector(name);
            }
            return exists;
        });
    }

    private static DataConnector fromThrift(org.apache.hadoop.hive.metastore.api.DataConnector connector) {
        return new DataConnector(
                connector.getName(),
                connector.getType(),
                connector.getUrl(),
                Optional.ofNullable(connector.getDescription()),
                StorageConversion.orEmpty(connector.getOwnerName()),
                connector.getOwnerType() == PrincipalType.ROLE,
                StorageConversion.withoutNulls(connector.getParameters()));
    }

    private static org.apache.hadoop.hive.metastore.api.DataConnector toThrift(DataConnector connector) {
        var target = new org.apache.hadoop.hive.metastore.api.DataConnector(
                connector.name(), connector.type(), connector.url());
        target.setDescription(connector.comment().orElse(null));
        target.setOwnerName(StorageConversion.orNull(connector.owner()));
        target.setOwnerType(connector.ownerIsRole() ? PrincipalType.ROLE : PrincipalType.USER);
        target.setParameters(new HashMap<>(connector.properties()));
        return target;
    }
}
