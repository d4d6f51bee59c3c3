package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.physical.TableLayouts;
import io.skep.storage.table.TableFormat;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Determines the formats in which a statement writes partitions. A partition's format may differ from its table's
 * present one. Rows that are added to it are written in its format, and an INSERT OVERWRITE gives it the table's
 * format. The partitions that a dynamic INSERT writes to are known only after it has written. If some of them have
 * another format, it writes once more.
 */
final class PartitionFormats {
    private final Destination destination;
    private final Function<String, Optional<Partition>> known;

    /** Partitions whose format may differ from the table's. */
    private final Set<String> asked = new TreeSet<>();

    private Map<String, TableFormat> others = Map.of();
    private boolean changed;

    /** @param known returns the partition of a name in the catalog */
    PartitionFormats(Destination destination, Function<String, Optional<Partition>> known) {
        this.destination = destination;
        this.known = known;
        if (!destination.staticValues().isEmpty()
                && destination.dynamicColumns().isEmpty()) {
            asked.add(destination.staticPath());
        }
    }

    /** Reads the formats from the catalog. Called before rows are written. */
    void look() {
        Map<String, TableFormat> found = new HashMap<>();
        for (String partition : asked) {
            TableFormat format = wanted(partition);
            if (!format.equals(tablesFormat())) {
                found.put(partition, format);
            }
        }
        others = found;
        changed = false;
    }

    /** Returns the graph with the formats that were read last. */
    StageGraph in(StageGraph graph) {
        if (others.isEmpty()) {
            return graph;
        }
        Table table = destination.table();
        Map<String, TableFormat> formats = others.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, other -> TableLayouts.writeFormat(other.getValue(), table)));
        return graph.mapRoots(root -> in(root, formats));
    }

    private static PlanNode in(PlanNode node, Map<String, TableFormat> formats) {
        if (node instanceof PlanNode.TableWrite write) {
            return write.withFormats(formats);
        }
        return node.mapInputs(input -> in(input, formats));
    }

    /** Whether {@link #requireUnchanged} has failed since the formats were read last. */
    boolean haveChanged() {
        return changed;
    }

    /**
     * Called while no other statement can change the table.
     *
     * @param partitions the partitions that were written
     * @throws SkepException TABLE_CHANGED when files are not in the format in which they would be read
     */
    void requireUnchanged(Collection<String> partitions, CommitPlan commit) {
        for (String partition : partitions) {
            if (!partition.isEmpty() && !wanted(partition).equals(written(partition))) {
                asked.add(partition);
                changed = true;
            }
        }
        if (changed) {
            throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "partitions of " + destination.table().qualifiedName()
                                    + " are stored otherwise than their rows were written; nothing was written")
                    .withHint("run the statement again");
        }
        partitions.stream()
                .filter(partition -> !partition.isEmpty())
                .forEach(partition -> commit.recordFormat(destination.table(), partition, written(partition)));
    }

    private TableFormat written(String partition) {
        return others.getOrDefault(partition, tablesFormat());
    }

    private TableFormat wanted(String partition) {
        return destination.takesTablesFormat()
                ? tablesFormat()
                : known.apply(partition).map(found -> found.storage().format()).orElseGet(this::tablesFormat);
    }

    private TableFormat tablesFormat() {
        return destination.table().storage().format();
    }

    /** Returns a partition with its format after the statement's rows are added. */
    Partition after(Partition partition) {
        return destination.takesTablesFormat()
                ? partition.withStorage(partition.storage().withFormat(tablesFormat()))
                : partition;
    }
}
