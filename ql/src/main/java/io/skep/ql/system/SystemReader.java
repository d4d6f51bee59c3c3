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
 * Reads the rows of system tables that the user of a session sees. Where roles and grants decide, the user's grants are
 * in memory, and the owners come with the rows. Where an authorizer of the site decides, tables with rows about other
 * tables are read database by database, with the names of one database's visible tables in memory.
 */
public final class SystemReader {
    /** The number of tables whose definitions are loaded at a time. */
    private static final int CHUNK = 500;

    private static final VisibleRows.Tables NONE = (_, _, _, _) -> false;

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
        } else if (access.plugin().isEmpty()) {
            VisibleRows.Tables granted = scope.table().isEmpty() ? NONE : access.grantedTables()::shows;
            rows.read(all.visibleTo(new VisibleRows(name -> true, granted, access.people())), target);
        } else {
            readAllowed(all, rows, target);
        }
    }

    /** Reads what an authorizer of the site shows. It is asked before, on this thread, about tables that matter. */
    private void readAllowed(RowRequest all, SystemRowStore rows, RowTarget target) {
        RowScope scope = all.table().scope();
        Set<String> databases = new TreeSet<>(catalog.databases());
        values(all, scope.database()).ifPresent(databases::retainAll);
        databases.removeIf(access.visibleDatabases(catalog).negate());
        if (scope.table().isEmpty()) {
            rows.read(all.visibleTo(new VisibleRows(databases::contains, NONE, access.people())), target);
            return;
        }
        Optional<Set<String>> names = values(all, scope.table().map(RowScope.TableFields::name));
        Predicate<Table> shown = access.visibleTables();
        for (String database : databases) {
            Interruption.check();
            Set<String> tables = tables(database, names, shown);
            if (!tables.isEmpty()) {
                VisibleRows visible =
                        new VisibleRows(databases::contains, (_, name, _, _) -> tables.contains(name), access.people());
                rows.read(all.in(database).visibleTo(visible), target);
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
    private static Optional<Set<String>> values(RowRequest request, Optional<String> field) {
        Set<String> values = new HashSet<>();
        boolean found = false;
        for (RowCondition condition : request.conditions()) {
            SystemColumn column = request.table().columns().get(condition.column());
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
