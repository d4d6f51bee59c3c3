package io.skep.ql.statement;

import io.skep.metastore.Catalog;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Brings the catalog up to files whose commit was interrupted after they were put in place: partitions that it does not know are
 * added, and figures that may be those from before the commit count as unknown.
 */
final class CatalogRepair {
    private final Catalog catalog;

    CatalogRepair(Catalog catalog) {
        this.catalog = catalog;
    }

    void repair(TableCommits.Step.InCatalog step) {
        Optional<Table> found = catalog.table(step.database(), step.table());
        if (found.isEmpty()) {
            return;
        }
        Table table = found.get();
        if (step.partition().isEmpty()) {
            catalog.alterTable(
                    table.database(), table.name(), Revision.properties(table, uncounted(table.properties())), false);
            return;
        }
        List<String> values = PartitionName.values(step.partition());
        Optional<Partition> known = catalog.partition(table, values);
        if (known.isPresent()) {
            Map<String, String> properties = uncounted(known.get().properties());
            catalog.alterPartitions(table, List.of(Revision.properties(known.get(), properties)));
        } else {
            Partition added =
                    new Partition(values, 0, 0, Revision.location(table.storage(), step.location()), new TreeMap<>());
            catalog.addPartitions(table, List.of(added), true);
        }
    }

    private static Map<String, String> uncounted(Map<String, String> properties) {
        Map<String, String> after = new TreeMap<>(properties);
        after.remove(TableFigures.ACCURATE);
        return after;
    }
}
