package io.skep.metastore.hive;

import io.skep.metastore.Materialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hive.metastore.api.CreationMetadata;
import org.apache.hadoop.hive.metastore.api.SourceTable;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.NullUnmarked;

/** Converts what is known of a materialized view's content between the catalog's record and the library's object. */
@NullUnmarked
final class MaterializationConversion {
    private MaterializationConversion() {}

    static Optional<Materialization> fromThrift(Table view) {
        CreationMetadata stored = view.getCreationMetadata();
        return stored == null
                ? Optional.empty()
                : Optional.of(new Materialization(
                        List.copyOf(sources(stored)),
                        Optional.ofNullable(stored.getValidTxnList()),
                        stored.getMaterializationTime(),
                        view.isRewriteEnabled()));
    }

    /** Older versions of Hive store names with the catalog, and no tables. */
    private static Set<String> sources(CreationMetadata stored) {
        Set<String> sources = new TreeSet<>();
        if (stored.getSourceTablesSize() > 0) {
            for (SourceTable source : stored.getSourceTables()) {
                sources.add(
                        source.getTable().getDbName() + "." + source.getTable().getTableName());
            }
        } else if (stored.isSetTablesUsed()) {
            for (String name : stored.getTablesUsed()) {
                sources.add(
                        name.startsWith(TableConversion.CATALOG + ".") ? name.substring(name.indexOf('.') + 1) : name);
            }
        }
        return sources;
    }

    /** Returns a table for the library to store, which sets the time at which a view was filled itself. */
    static Table withoutTime(Table table) {
        Table copy = table.deepCopy();
        if (copy.getCreationMetadata() != null) {
            copy.getCreationMetadata().unsetMaterializationTime();
        }
        return copy;
    }

    static void apply(Materialization view, Table target) {
        List<SourceTable> sources = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String source : view.sources()) {
            int dot = source.indexOf('.');
            Table table = new Table();
            table.setCatName(TableConversion.CATALOG);
            table.setDbName(source.substring(0, dot));
            table.setTableName(source.substring(dot + 1));
            // The counts are of rows since the view was filled. They have to be set for the notification log.
            sources.add(new SourceTable(table, 0, 0, 0));
            names.add(TableConversion.CATALOG + "." + source);
        }
        CreationMetadata stored =
                new CreationMetadata(TableConversion.CATALOG, target.getDbName(), target.getTableName(), names);
        stored.setSourceTables(sources);
        stored.setMaterializationTime(view.millis());
        view.writeIds().ifPresent(stored::setValidTxnList);
        target.setCreationMetadata(stored);
        target.setRewriteEnabled(view.rewriting());
    }
}
