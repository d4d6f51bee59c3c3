package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanInputs;
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
 * In which formats a statement writes partitions. A partition may be stored otherwise than its table is by now: rows that are added
 * to it are written as those that are there, and an INSERT OVERWRITE stores it as the table. Which partitions a dynamic INSERT
 * writes to is known when it has written: when some of these are stored otherwise, it writes once more.
 */
final class PartitionFormats {
    private final Destination destination;
    private final Function<String, Optional<Partition>> known;

    /** Partitions that may be stored otherwise. */
    private final Set<String> asked = new TreeSet<>();

    private Map<String, TableFormat> others = Map.of();
    private boolean changed;

    /** @param known the partition of a name in the catalog */
    PartitionFormats(Destination destination, Function<String, Optional<Partition>> known) {
        this.destination = destination;
        this.known = known;
        if (!destination.staticValues().isEmpty()
                && destination.dynamicColumns().isEmpty()) {
            asked.add(destination.staticPath());
        }
    }

    /** Before rows are written. */
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

    /** The graph with the formats of the last look. */
    StageGraph in(StageGraph graph) {
        if (others.isEmpty()) {
            return graph;
        }
        Table table = destination.table();
        Map<String, TableFormat> formats = others.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, other -> TableLayouts.writing(other.getValue(), table)));
        return new StageGraph(
                graph.fragments().stream()
                        .map(fragment -> new Fragment(
                                fragment.id(),
                                in(fragment.root(), formats),
                                fragment.distribution(),
                                fragment.output()))
                        .toList(),
                graph.columnNames(),
                graph.columnTypes(),
                graph.resources(),
                graph.estimatedRows());
    }

    private static PlanNode in(PlanNode node, Map<String, TableFormat> formats) {
        if (node instanceof PlanNode.TableWrite write) {
            return new PlanNode.TableWrite(
                    write.input(),
                    write.table(),
                    write.stagingPath(),
                    write.staticPartition(),
                    write.dynamicColumns(),
                    write.bucketed(),
                    write.summarized(),
                    formats);
        }
        return PlanInputs.replaced(
                node, node.inputs().stream().map(input -> in(input, formats)).toList());
    }

    /** Whether {@link #requireUnchanged} has failed since the last look. */
    boolean haveChanged() {
        return changed;
    }

    /**
     * Called when nobody else can change the table.
     *
     * @param partitions that were written
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
                .forEach(partition -> commit.written(destination.table(), partition, written(partition)));
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

    /** A partition as it is stored when the statement's rows are in it. */
    Partition after(Partition partition) {
        return destination.takesTablesFormat()
                ? partition.withStorage(partition.storage().withFormat(tablesFormat()))
                : partition;
    }
}
