package io.skep.ql.physical;

import io.skep.common.vector.Batch;
import io.skep.metastore.Catalog;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of tables' partitions as typed columns, kept for each version of a table and, since texts may convert by it, each
 * time zone; the tables used last. Guarded by itself; columns are made outside of the lock.
 */
public final class PartitionColumns {
    private final Catalog catalog;
    private final long capacity;
    private final Map<Key, Known> tables = new LinkedHashMap<>(16, 0.75f, true);
    private long held;

    /** @param capacity values that are held, of all tables together */
    public PartitionColumns(Catalog catalog, long capacity) {
        this.catalog = catalog;
        this.capacity = capacity;
    }

    private record Key(String database, String table, String zone) {}

    private record Known(long version, List<FieldSchema> keys, Columns columns) {
        long weight() {
            return (long) columns.names().size() * Math.max(1, keys.size());
        }
    }

    /**
     * A table's partitions.
     *
     * @param names sorted
     * @param values a column a partition key, a row a partition
     */
    record Columns(List<String> names, Batch values) {}

    /** @param conversion from texts in the order of the keys; a row a partition */
    Columns of(Table table, String zone, Function<List<List<String>>, Batch> conversion) {
        Key key = new Key(table.database(), table.name(), zone);
        // Asked for before the names are: what another writes in between makes an entry that is not used again.
        long version = catalog.version(table.database(), table.name());
        Known known = find(key);
        if (known != null && known.version() == version && known.keys().equals(table.partitionKeys())) {
            return known.columns();
        }
        List<String> names = List.copyOf(catalog.partitionNames(table));
        Batch values =
                conversion.apply(names.stream().map(PartitionName::values).toList());
        Known read = new Known(version, table.partitionKeys(), new Columns(names, values));
        put(key, read);
        return read.columns();
    }

    private synchronized @Nullable Known find(Key key) {
        return tables.get(key);
    }

    private synchronized void put(Key key, Known read) {
        Known before = tables.put(key, read);
        held += read.weight() - (before == null ? 0 : before.weight());
        for (Iterator<Known> eldest = tables.values().iterator(); held > capacity && eldest.hasNext(); ) {
            held -= eldest.next().weight();
            eldest.remove();
        }
    }

    /** Values that are held. */
    synchronized long held() {
        return held;
    }
}
