package io.skep.ql.physical;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.common.vector.Batch;
import io.skep.metastore.Catalog;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.List;
import java.util.function.Function;

/**
 * Caches the partition values of tables as typed columns, for each version of a table. The time zone is part of the
 * key, because conversion from text may depend on it. Keeps the tables that are used most. Thread-safe.
 */
public final class PartitionColumns {
    private final Catalog catalog;
    private final Cache<Key, Known> tables;

    /** @param capacity the maximum number of cached values, for all tables together */
    public PartitionColumns(Catalog catalog, long capacity) {
        this.catalog = catalog;
        this.tables = Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(capacity)
                .weigher((Key key, Known known) -> Math.clamp(known.weight(), 0, Integer.MAX_VALUE))
                .build();
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
     * @param names partition names, sorted
     * @param values one column per partition key, one row per partition
     */
    record Columns(List<String> names, Batch values) {}

    /** @param conversion converts texts in the order of the keys; one row per partition */
    Columns of(Table table, String zone, Function<List<List<String>>, Batch> conversion) {
        Key key = new Key(table.database(), table.name(), zone);
        // The version is read before the names. If another client writes in between, the entry is never used again.
        long version = catalog.version(table.database(), table.name());
        Known known = tables.getIfPresent(key);
        if (known != null && known.version() == version && known.keys().equals(table.partitionKeys())) {
            return known.columns();
        }
        List<String> names = List.copyOf(catalog.partitionNames(table));
        Batch values =
                conversion.apply(names.stream().map(PartitionName::values).toList());
        Known read = new Known(version, table.partitionKeys(), new Columns(names, values));
        tables.put(key, read);
        return read.columns();
    }
}
