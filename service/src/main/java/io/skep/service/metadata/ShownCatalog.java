package io.skep.service.metadata;

import io.skep.metastore.Catalog;
import io.skep.metastore.Catalog.Reference;
import io.skep.metastore.Constraint;
import io.skep.metastore.Table;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.SqlSession;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of the catalog that a metadata call of a session shows. Serves one call, which runs on one thread.
 */
public final class ShownCatalog {
    private final Catalog catalog;
    private final SqlSession session;

    /** What is shown; found when it is first needed, which is on the thread that runs the call. */
    private @Nullable Predicate<Table> known;

    public ShownCatalog(Catalog catalog, SqlSession session) {
        this.catalog = catalog;
        this.session = session;
    }

    private boolean isShown(Table table) {
        Predicate<Table> shown = known == null ? session.visibleTables() : known;
        known = shown;
        return shown.test(table);
    }

    /** Returns the databases, sorted, with those of system tables: tools learn of them by these calls. */
    List<String> databases() {
        Set<String> names = new TreeSet<>(catalog.databases());
        names.addAll(SystemTables.DATABASES);
        return names.stream().filter(session.visibleDatabases()).toList();
    }

    /** Returns the names of all tables of a database, including those that {@link #table} does not show. */
    List<String> names(String database) {
        return catalog.tables(database);
    }

    /** Returns a table or view, if it exists and is shown. */
    public Optional<Table> table(String database, String name) {
        return catalog.table(database, name).filter(this::isShown);
    }

    List<Constraint> constraints(Table table) {
        return catalog.constraints(table);
    }

    /** Returns the foreign keys of tables that are shown. */
    List<Reference> referencesTo(Table parent) {
        return catalog.referencesTo(parent).stream()
                .filter(reference ->
                        table(reference.database(), reference.table()).isPresent())
                .toList();
    }
}
