package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files that an INSERT OVERWRITE reads of the table that it writes to. It may replace these files and no others,
 * since its result does not contain rows that another statement has added meanwhile. Temporary tables of a session and
 * transactional tables, which have locks, need no check.
 */
final class ReplacedFiles {
    private final List<ScanAssignment> scans;
    private final StatementContext context;
    private Map<String, FolderFiles> read = Map.of();
    private boolean changed;

    ReplacedFiles(Destination destination, PhysicalPlan plan, StatementContext context) {
        Table table = destination.changed().orElse(destination.table());
        boolean mayReplace = destination.overwrite()
                && destination.changed().isPresent()
                && !table.isTransactional()
                && !TableStore.isTemporary(table, context);
        this.scans = plan.scans().stream()
                .filter(scan -> mayReplace && scan.table().qualifiedName().equals(table.qualifiedName()))
                .toList();
        this.context = context;
    }

    /** Records the existing files. Called before they are read. */
    void look() {
        Map<String, FolderFiles> found = new HashMap<>();
        scanned().forEach(location -> found.put(location, files(location)));
        read = found;
        changed = false;
    }

    /** Whether {@link #requireUnchanged} has failed since the files were recorded last. */
    boolean haveChanged() {
        return changed;
    }

    /**
     * Called while no other statement can change the table.
     *
     * @param replaced folders whose files will be replaced
     * @throws SkepException TABLE_CHANGED when their files are not the ones that were read
     */
    void requireUnchanged(Collection<String> replaced) {
        // This includes partitions that were dropped meanwhile.
        Set<String> scanned = new HashSet<>(scanned());
        scanned.addAll(read.keySet());
        for (String location : replaced) {
            if (scanned.contains(location) && !files(location).equals(read.getOrDefault(location, FolderFiles.NONE))) {
                changed = true;
                throw FolderFiles.changed(scans.getFirst().table());
            }
        }
    }

    /** Returns the folders that the statement would read if it began at this point. */
    private Set<String> scanned() {
        Set<String> locations = new LinkedHashSet<>();
        for (ScanAssignment scan : scans) {
            if (scan.table().partitionKeys().isEmpty()) {
                locations.add(scan.table().storage().location());
            } else {
                for (Partition partition : context.pruner(scan.table()).partitions(scan, context.catalog())) {
                    locations.add(partition.storage().location());
                }
            }
        }
        return locations;
    }

    private FolderFiles files(String location) {
        return FolderFiles.of(location, context.services().files());
    }
}
