package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.metastore.Catalog;
import io.skep.metastore.Constraint;
import io.skep.metastore.Constraint.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hive.metastore.api.SQLAllTableConstraints;
import org.apache.hadoop.hive.metastore.api.SQLCheckConstraint;
import org.apache.hadoop.hive.metastore.api.SQLDefaultConstraint;
import org.apache.hadoop.hive.metastore.api.SQLForeignKey;
import org.apache.hadoop.hive.metastore.api.SQLNotNullConstraint;
import org.apache.hadoop.hive.metastore.api.SQLPrimaryKey;
import org.apache.hadoop.hive.metastore.api.SQLUniqueConstraint;
import org.jspecify.annotations.NullUnmarked;

/** Converts constraints to and from the library's form, in which keys have one row per column. */
@NullUnmarked
final class ConstraintConversion {
    private ConstraintConversion() {}

    static SQLAllTableConstraints toThrift(String database, String table, List<Constraint> constraints) {
        SQLAllTableConstraints all = new SQLAllTableConstraints();
        all.setPrimaryKeys(new ArrayList<>());
        all.setForeignKeys(new ArrayList<>());
        all.setUniqueConstraints(new ArrayList<>());
        all.setNotNullConstraints(new ArrayList<>());
        all.setDefaultConstraints(new ArrayList<>());
        all.setCheckConstraints(new ArrayList<>());
        for (Constraint constraint : constraints) {
            add(database, table, constraint, all);
        }
        return all;
    }

    private static void add(String database, String table, Constraint constraint, SQLAllTableConstraints all) {
        String name = StorageConversion.orNull(constraint.name());
        boolean enabled = constraint.state().enabled();
        boolean validated = constraint.state().validated();
        boolean relied = constraint.state().relied();
        switch (constraint) {
            case Constraint.PrimaryKey key -> {
                for (int i = 0; i < key.columns().size(); i++) {
                    SQLPrimaryKey row = new SQLPrimaryKey(
                            database, table, key.columns().get(i), i + 1, name, enabled, validated, relied);
                    row.setCatName(CATALOG);
                    all.getPrimaryKeys().add(row);
                }
            }
            case Constraint.Unique key -> {
                for (int i = 0; i < key.columns().size(); i++) {
                    all.getUniqueConstraints()
                            .add(new SQLUniqueConstraint(
                                    CATALOG,
                                    database,
                                    table,
                                    key.columns().get(i),
                                    i + 1,
                                    name,
                                    enabled,
                                    validated,
                                    relied));
                }
            }
            case Constraint.ForeignKey key -> addForeignKey(database, table, key, all);
            case Constraint.NotNull one ->
                all.getNotNullConstraints()
                        .add(new SQLNotNullConstraint(
                                CATALOG, database, table, one.column(), name, enabled, validated, relied));
            case Constraint.DefaultValue one ->
                all.getDefaultConstraints()
                        .add(new SQLDefaultConstraint(
                                CATALOG, database, table, one.column(), one.value(), name, enabled, validated, relied));
            case Constraint.Check one ->
                all.getCheckConstraints()
                        .add(new SQLCheckConstraint(
                                CATALOG,
                                database,
                                table,
                                one.column().orElse(null),
                                one.expression(),
                                name,
                                enabled,
                                validated,
                                relied));
        }
    }

    private static void addForeignKey(
            String database, String table, Constraint.ForeignKey key, SQLAllTableConstraints all) {
        for (int i = 0; i < key.columns().size(); i++) {
            SQLForeignKey row = new SQLForeignKey(
                    key.parentDatabase(),
                    key.parentTable(),
                    key.parentColumns().get(i),
                    database,
                    table,
                    key.columns().get(i),
                    i + 1,
                    0,
                    0,
                    StorageConversion.orNull(key.name()),
                    null,
                    key.state().enabled(),
                    key.state().validated(),
                    key.state().relied());
            row.setCatName(CATALOG);
            all.getForeignKeys().add(row);
        }
    }

    static List<Constraint> fromThrift(SQLAllTableConstraints all) {
        List<Constraint> constraints = new ArrayList<>();
        keys(all.getPrimaryKeys(), SQLPrimaryKey::getPk_name, SQLPrimaryKey::getKey_seq)
                .forEach((name, rows) -> constraints.add(new Constraint.PrimaryKey(
                        name,
                        rows.stream().map(SQLPrimaryKey::getColumn_name).toList(),
                        state(
                                rows.getFirst().isEnable_cstr(),
                                rows.getFirst().isValidate_cstr(),
                                rows.getFirst().isRely_cstr()))));
        keys(all.getForeignKeys(), SQLForeignKey::getFk_name, SQLForeignKey::getKey_seq)
                .forEach((name, rows) -> constraints.add(foreignKey(name, rows)));
        keys(all.getUniqueConstraints(), SQLUniqueConstraint::getUk_name, SQLUniqueConstraint::getKey_seq)
                .forEach((name, rows) -> constraints.add(new Constraint.Unique(
                        name,
                        rows.stream().map(SQLUniqueConstraint::getColumn_name).toList(),
                        state(
                                rows.getFirst().isEnable_cstr(),
                                rows.getFirst().isValidate_cstr(),
                                rows.getFirst().isRely_cstr()))));
        addSingle(all, constraints);
        return constraints;
    }

    private static Constraint.ForeignKey foreignKey(String name, List<SQLForeignKey> rows) {
        SQLForeignKey first = rows.getFirst();
        return new Constraint.ForeignKey(
                name,
                rows.stream().map(SQLForeignKey::getFkcolumn_name).toList(),
                first.getPktable_db(),
                first.getPktable_name(),
                rows.stream().map(SQLForeignKey::getPkcolumn_name).toList(),
                state(first.isEnable_cstr(), first.isValidate_cstr(), first.isRely_cstr()));
    }

    /** Groups the rows of foreign keys by the table that has the key. */
    static List<Catalog.Reference> references(List<SQLForeignKey> rows) {
        List<Catalog.Reference> references = new ArrayList<>();
        keys(
                        rows,
                        row -> List.of(row.getFktable_db(), row.getFktable_name(), row.getFk_name()),
                        SQLForeignKey::getKey_seq)
                .forEach((names, key) -> references.add(
                        new Catalog.Reference(names.get(0), names.get(1), foreignKey(names.get(2), key))));
        return references;
    }

    /** Adds the constraints on single columns. */
    private static void addSingle(SQLAllTableConstraints all, List<Constraint> constraints) {
        for (SQLNotNullConstraint one : orEmpty(all.getNotNullConstraints())) {
            State state = state(one.isEnable_cstr(), one.isValidate_cstr(), one.isRely_cstr());
            constraints.add(new Constraint.NotNull(one.getNn_name(), one.getColumn_name(), state));
        }
        for (SQLDefaultConstraint one : orEmpty(all.getDefaultConstraints())) {
            State state = state(one.isEnable_cstr(), one.isValidate_cstr(), one.isRely_cstr());
            constraints.add(
                    new Constraint.DefaultValue(one.getDc_name(), one.getColumn_name(), one.getDefault_value(), state));
        }
        for (SQLCheckConstraint one : orEmpty(all.getCheckConstraints())) {
            State state = state(one.isEnable_cstr(), one.isValidate_cstr(), one.isRely_cstr());
            constraints.add(new Constraint.Check(
                    one.getDc_name(), Optional.ofNullable(one.getColumn_name()), one.getCheck_expression(), state));
        }
    }

    private static State state(boolean enabled, boolean validated, boolean relied) {
        return new State(enabled, validated, relied);
    }

    private static <K, T> Map<K, List<T>> keys(List<T> rows, Function<T, K> name, ToIntFunction<T> position) {
        Map<K, List<T>> keys = new LinkedHashMap<>();
        for (T row : orEmpty(rows)) {
            keys.computeIfAbsent(name.apply(row), n -> new ArrayList<>()).add(row);
        }
        keys.values().forEach(key -> key.sort(Comparator.comparingInt(position)));
        return keys;
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : list;
    }
}
