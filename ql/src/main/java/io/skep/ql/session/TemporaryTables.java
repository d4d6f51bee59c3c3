package io.skep.ql.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Constraint;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.external.OpenWrite;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** The temporary tables of a session. Only the session sees them, and they are dropped when it ends. */
public final class TemporaryTables {
    private static final String TABLE = "table ";
    private static final long TABLE_BYTES = 1 << 10;
    private static final long COLUMN_BYTES = 200;

    private final SessionMemory memory;
    private final Map<String, Entry> tables = new ConcurrentHashMap<>();
    private final Map<String, OpenWrite> writes = new ConcurrentHashMap<>();

    /** The names of tables whose rows come from outside of the server. */
    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    TemporaryTables(SessionMemory memory) {
        this.memory = memory;
    }

    private record Entry(Table table, Contents contents) {}

    /**
     * The metadata of a temporary table in addition to its definition; statements change it.
     *
     * @param partitions partitions by name ({@code k=v/k=v}), sorted
     * @param columns statistics by column
     * @param partitionColumns statistics by the partition's name, then by column
     * @param constraints those of CREATE TABLE, which do not change
     */
    public record Contents(
            Map<String, Partition> partitions,
            Map<String, ColumnStatistics> columns,
            Map<String, Map<String, ColumnStatistics>> partitionColumns,
            List<Constraint> constraints) {
        public Contents {
            constraints = List.copyOf(constraints);
        }

        static Contents empty(List<Constraint> constraints) {
            return new Contents(
                    new ConcurrentSkipListMap<>(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), constraints);
        }
    }

    public Optional<Table> get(String database, String name) {
        return Optional.ofNullable(tables.get(database + "." + name)).map(Entry::table);
    }

    public Optional<Contents> contents(Table table) {
        return Optional.ofNullable(tables.get(table.qualifiedName())).map(Entry::contents);
    }

    /** @throws SkepException MEMORY_LIMIT_EXCEEDED when the session keeps too much */
    public void put(Table table, List<Constraint> constraints) {
        keep(table, constraints);
        tables.put(table.qualifiedName(), new Entry(table, Contents.empty(constraints)));
    }

    /** Returns the constraints on a table's rows; none if it is not a temporary one. */
    public List<Constraint> constraints(Table table) {
        return contents(table).map(Contents::constraints).orElse(List.of());
    }

    /** Accounts for a table. The types, names and comments of its columns are the largest part. */
    private void keep(Table table, List<Constraint> constraints) {
        long texts = table.allColumns().stream()
                .mapToLong(column -> COLUMN_BYTES
                        + column.name().length()
                        + column.type().displayName().length()
                        + column.comment().map(String::length).orElse(0))
                .sum();
        long properties = table.properties().entrySet().stream()
                .mapToLong(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        long checks = constraints.stream()
                .mapToLong(constraint -> COLUMN_BYTES + constraint.toString().length())
                .sum();
        memory.keep(TABLE + table.qualifiedName(), TABLE_BYTES + texts + properties + checks);
    }

    /**
     * Replaces a definition, possibly including the name, which ends a write. Partitions, statistics and constraints
     * stay.
     *
     * @throws SkepException NOT_SUPPORTED when a column is removed or renamed that a constraint may need
     */
    public void replace(Table before, Table after) {
        Contents contents = contents(before).orElseGet(() -> Contents.empty(List.of()));
        requireConstrainedColumns(contents.constraints(), before, after);
        keep(after, contents.constraints());
        if (!after.qualifiedName().equals(before.qualifiedName())) {
            endWrite(before);
            if (sent.remove(before.qualifiedName())) {
                sent.add(after.qualifiedName());
            }
            memory.forget(TABLE + before.qualifiedName());
        }
        tables.remove(before.qualifiedName());
        tables.put(after.qualifiedName(), new Entry(after, contents));
    }

    /** A CHECK may read columns that it does not list. */
    private static void requireConstrainedColumns(List<Constraint> constraints, Table before, Table after) {
        Set<String> gone = names(before);
        gone.removeAll(names(after));
        for (Constraint constraint : constraints) {
            if (!gone.isEmpty()
                    && (constraint instanceof Constraint.Check || !Collections.disjoint(gone, constraint.columns()))) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "columns with constraints of temporary tables cannot be removed or renamed: " + gone)
                        .withHint("create another temporary table");
            }
        }
    }

    private static Set<String> names(Table table) {
        return table.allColumns().stream().map(FieldSchema::name).collect(Collectors.toCollection(TreeSet::new));
    }

    public void remove(String database, String name) {
        tables.remove(database + "." + name);
        sent.remove(database + "." + name);
        memory.forget(TABLE + database + "." + name);
    }

    /** Begins a write of programs outside of the server. One that the table has already ends. */
    public void beginWrite(Table table, OpenWrite write) {
        endWrite(table);
        sent.add(table.qualifiedName());
        writes.put(table.qualifiedName(), write);
    }

    /** Whether rows of a table have come from programs outside of the server. */
    public boolean isSent(Table table) {
        return sent.contains(table.qualifiedName());
    }

    /** Returns the write of programs outside of the server that a table has. */
    public Optional<OpenWrite> write(Table table) {
        return Optional.ofNullable(writes.get(table.qualifiedName()));
    }

    /** Ends the write of a table, before its files are moved or deleted. */
    public void endWrite(Table table) {
        Optional.ofNullable(writes.remove(table.qualifiedName())).ifPresent(OpenWrite::close);
    }

    public List<String> names(String database) {
        return all().stream()
                .filter(table -> table.database().equals(database))
                .map(Table::name)
                .sorted()
                .toList();
    }

    public boolean isEmpty() {
        return tables.isEmpty();
    }

    public Collection<Table> all() {
        return tables.values().stream().map(Entry::table).toList();
    }
}
