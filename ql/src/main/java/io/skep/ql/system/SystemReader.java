package io.skep.ql.system;

import io.skep.common.concurrent.Interruption;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.metastore.system.RowCondition;
import io.skep.metastore.system.RowContext;
import io.skep.metastore.system.RowRequest;
import io.skep.metastore.system.RowScope;
import io.skep.metastore.system.RowTarget;
import io.skep.metastore.system.SystemColumn;
import io.skep.metastore.system.SystemRowStore;
import io.skep.metastore.system.SystemTable;
import io.skep.ql.authorize.SessionAccess;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Reads the rows of system tables that the user of a session sees. While a user's rights decide, tables with rows about
 * other tables are read database by database, with the names of one database's visible tables in memory.
 */
public final class SystemReader {
    /** The number of tables whose definitions are loaded at a time. */
    private static final int CHUNK = 500;

    private final SessionAccess access;
    private final Catalog catalog;
    private final RowContext context;

    public SystemReader(SessionAccess access, Catalog catalog, RowContext context) {
        this.access = access;
        this.catalog = catalog;
        this.context = context;
    }

    void read(
            SystemTable table,
            List<Integer> columns,
            List<RowCondition> conditions,
            SystemRowStore rows,
            RowTarget target) {
        RowRequest all = new RowRequest(table, columns, conditions, Optional.empty(), context, Optional.empty());
        RowScope scope = table.scope();
        boolean isScoped = scope.database().isPresent() || !scope.people().isEmpty();
        if (!isScoped || access.seesAllRows()) {
            rows.read(all, target);
            return;
        }
        Set<String> people = access.people();
        Set<String> databases = new TreeSet<>(catalog.databases());
        values(table, scope.database(), conditions).ifPresent(databases::retainAll);
        databases.removeIf(access.visibleDatabases(catalog).negate());
        if (scope.table().isEmpty()) {
            VisibleRows visible = new VisibleRows(databases, Set.of(), people);
            rows.read(
                    new RowRequest(table, columns, conditions, Optional.empty(), context, Optional.of(visible)),
                    target);
            return;
        }
        Optional<Set<String>> names = values(table, scope.table(), conditions);
        Predicate<Table> shown = access.visibleTables();
        for (String database : databases) {
            Interruption.check();
            Set<String> tables = tables(database, names, shown);
            if (!tables.isEmpty()) {
                rows.read(all.in(database, new VisibleRows(Set.of(database), tables, people)), target);
            }
        }
    }

    private Set<String> tables(String database, Optional<Set<String>> wanted, Predicate<Table> shown) {
        List<String> names = catalog.tables(database).stream()
                .filter(name -> wanted.isEmpty() || wanted.get().contains(name))
                .toList();
        Set<String> visible = new HashSet<>();
        for (int from = 0; from < names.size(); from += CHUNK) {
            Interruption.check();
            catalog.tablesByName(database, names.subList(from, Math.min(names.size(), from + CHUNK))).stream()
                    .filter(shown)
                    .map(Table::name)
                    .forEach(visible::add);
        }
        return visible;
    }

    /** Returns the values that conditions leave of a field. */
    private static Optional<Set<String>> values(
            SystemTable table, Optional<String> field, List<RowCondition> conditions) {
        Set<String> values = new HashSet<>();
        boolean found = false;
        for (RowCondition condition : conditions) {
            SystemColumn column = table.columns().get(condition.column());
            if (field.filter(column.fields().getFirst()::equals).isPresent()) {
                Set<String> of = new HashSet<>();
                condition.values().forEach(value -> of.add(value.toString()));
                if (found) {
                    values.retainAll(of);
                } else {
                    values.addAll(of);
                }
                found = true;
            }
        }
        return found ? Optional.of(values) : Optional.empty();
    }
}
