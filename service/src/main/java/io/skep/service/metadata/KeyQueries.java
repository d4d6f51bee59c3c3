package io.skep.service.metadata;

import static io.skep.service.metadata.MetadataQueries.column;
import static io.skep.service.metadata.MetadataQueries.number;
import static io.skep.service.metadata.MetadataQueries.strings;
import static io.skep.service.metadata.MetadataQueries.text;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Catalog.Reference;
import io.skep.metastore.Constraint;
import io.skep.metastore.Constraint.ForeignKey;
import io.skep.metastore.Constraint.PrimaryKey;
import io.skep.metastore.Table;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.statement.CommandStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The protocol's calls for primary and foreign keys. */
public final class KeyQueries {
    private static final PrimitiveType INT = PrimitiveType.INT;

    private final ShownCatalog catalog;
    private final String currentDatabase;

    /** @param currentDatabase the database of tables that are named without one */
    public KeyQueries(ShownCatalog catalog, String currentDatabase) {
        this.catalog = catalog;
        this.currentDatabase = currentDatabase;
    }

    /** Returns a row for each column of the table's primary key. A table that does not exist has none. */
    public SqlStatement primaryKeys(@Nullable String schema, @Nullable String name) {
        if (name == null) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the request has no table");
        }
        List<ResultColumn> columns = new ArrayList<>(strings("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME"));
        columns.add(column("KEY_SEQ", INT));
        columns.add(column("PK_NAME", PrimitiveType.STRING));
        return CommandStatement.withRows(
                "GET_PRIMARYKEYS",
                columns,
                log -> table(CrossReference.present(schema), name).stream()
                        .flatMap(table -> primaryKey(table).stream().flatMap(key -> rows(table, key)))
                        .toList());
    }

    private static Stream<List<Datum>> rows(Table table, PrimaryKey key) {
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < key.columns().size(); i++) {
            rows.add(List.of(
                    Datum.NULL,
                    text(table.database()),
                    text(table.name()),
                    text(key.columns().get(i)),
                    number(i + 1),
                    text(key.name())));
        }
        return rows.stream();
    }

    /**
     * Returns a row for each column of the foreign keys of one table that refer to another. Without the other table
     * these are all its foreign keys; with the other table alone, those of all tables that refer to it.
     */
    public SqlStatement crossReferences(CrossReference request) {
        Optional<String> parent = request.parent();
        Optional<String> foreign = request.foreign();
        if (parent.isEmpty() && foreign.isEmpty()) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT,
                    "the request has neither the table of a foreign key nor that of a primary key");
        }
        List<ResultColumn> columns = new ArrayList<>(strings(
                "PKTABLE_CAT",
                "PKTABLE_SCHEM",
                "PKTABLE_NAME",
                "PKCOLUMN_NAME",
                "FKTABLE_CAT",
                "FKTABLE_SCHEM",
                "FKTABLE_NAME",
                "FKCOLUMN_NAME"));
        columns.add(column("KEQ_SEQ", INT));
        columns.add(column("UPDATE_RULE", INT));
        columns.add(column("DELETE_RULE", INT));
        columns.addAll(strings("FK_NAME", "PK_NAME"));
        columns.add(column("DEFERRABILITY", INT));
        return CommandStatement.withRows(
                "GET_CROSSREFERENCE",
                columns,
                log -> foreign
                        .map(child -> foreignKeys(request, child, parent))
                        .orElseGet(() -> parent.stream()
                                .flatMap(name -> table(request.parentSchema(), name).stream())
                                .flatMap(table -> catalog.referencesTo(table).stream())
                                .toList())
                        .stream()
                        .flatMap(this::rows)
                        .toList());
    }

    private List<Reference> foreignKeys(CrossReference request, String child, Optional<String> parent) {
        return table(request.foreignSchema(), child).stream()
                .flatMap(table -> catalog.constraints(table).stream()
                        .filter(ForeignKey.class::isInstance)
                        .map(key -> new Reference(table.database(), table.name(), (ForeignKey) key)))
                .filter(reference -> parent.isEmpty()
                        || (reference.key().parentTable().equalsIgnoreCase(parent.get())
                                && reference.key().parentDatabase().equals(database(request.parentSchema()))))
                .toList();
    }

    private Stream<List<Datum>> rows(Reference reference) {
        ForeignKey key = reference.key();
        Optional<String> primaryKey = catalog.table(key.parentDatabase(), key.parentTable())
                .flatMap(this::primaryKey)
                .map(PrimaryKey::name);
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < key.columns().size(); i++) {
            rows.add(List.of(
                    Datum.NULL,
                    text(key.parentDatabase()),
                    text(key.parentTable()),
                    text(key.parentColumns().get(i)),
                    Datum.NULL,
                    text(reference.database()),
                    text(reference.table()),
                    text(key.columns().get(i)),
                    number(i + 1),
                    number(0),
                    number(0),
                    text(key.name()),
                    primaryKey.map(Datum::ofText).orElse(Datum.NULL),
                    number(0)));
        }
        return rows.stream();
    }

    private Optional<PrimaryKey> primaryKey(Table table) {
        for (Constraint constraint : catalog.constraints(table)) {
            if (constraint instanceof PrimaryKey key) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }

    private Optional<Table> table(Optional<String> schema, String name) {
        return catalog.table(database(schema), name.toLowerCase(Locale.ROOT));
    }

    private String database(Optional<String> schema) {
        return schema.map(name -> name.toLowerCase(Locale.ROOT)).orElse(currentDatabase);
    }
}
