package io.skep.ql.statistics;

import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Column statistics of some partitions, read one column at a time on demand. Owned by one thread. */
final class PartitionStatistics {
    private final Catalog catalog;
    private final Table table;
    private final List<String> names;
    private final Map<String, Map<String, List<ColumnStatistics>>> columns = new HashMap<>();

    PartitionStatistics(Catalog catalog, Table table, List<Partition> partitions) {
        this.catalog = catalog;
        this.table = table;
        this.names = partitions.stream()
                .map(partition -> PartitionName.of(table, partition.values()))
                .toList();
    }

    Optional<ColumnStatistics> of(String partition, String column) {
        return columns
                .computeIfAbsent(column, name -> catalog.partitionStatistics(table, names, List.of(name)))
                .getOrDefault(partition, List.of())
                .stream()
                .findFirst();
    }
}
