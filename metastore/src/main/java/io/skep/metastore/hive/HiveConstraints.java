package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.Constraint;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.AllTableConstraintsRequest;
import org.apache.hadoop.hive.metastore.api.ForeignKeysRequest;
import org.apache.hadoop.hive.metastore.api.InvalidObjectException;
import org.apache.hadoop.hive.metastore.api.SQLAllTableConstraints;
import org.jspecify.annotations.NullUnmarked;

/** Reads and writes constraints of tables. */
@NullUnmarked
final class HiveConstraints {
    private final StorePool stores;
    private final NotificationLog log;

    HiveConstraints(StorePool stores, NotificationLog log) {
        this.stores = stores;
        this.log = log;
    }

    List<Constraint> of(Table table) {
        return stores.read(
                "read the constraints of " + table.qualifiedName(),
                store -> read(store, table.database(), table.name()));
    }

    List<Catalog.Reference> referencesTo(Table parent) {
        ForeignKeysRequest request = new ForeignKeysRequest(parent.database(), parent.name(), null, null);
        request.setCatName(CATALOG);
        return stores.read(
                "read the foreign keys that refer to " + parent.qualifiedName(),
                store -> ConstraintConversion.references(store.getForeignKeys(request)));
    }

    private static List<Constraint> read(RawStore store, String database, String table) throws Exception {
        return ConstraintConversion.fromThrift(
                store.getAllTableConstraints(new AllTableConstraintsRequest(database, table, CATALOG)));
    }

    void add(Table table, List<Constraint> added) {
        stores.write("add constraints to " + table.qualifiedName(), store -> {
            var target = HiveTables.require(store, table.database(), table.name());
            check(read(store, table.database(), table.name()), added, table.qualifiedName());
            insert(store, table.database(), table.name(), added);
            log.alteredTable(store, target, target);
            return true;
        });
    }

    /** Runs within the transaction that creates the table. */
    static void insert(RawStore store, String database, String table, List<Constraint> added) throws Exception {
        SQLAllTableConstraints rows = ConstraintConversion.toThrift(database, table, added);
        try {
            if (!rows.getPrimaryKeys().isEmpty()) {
                store.addPrimaryKeys(rows.getPrimaryKeys());
            }
            if (!rows.getForeignKeys().isEmpty()) {
                store.addForeignKeys(rows.getForeignKeys());
            }
            if (!rows.getUniqueConstraints().isEmpty()) {
                store.addUniqueConstraints(rows.getUniqueConstraints());
            }
            if (!rows.getNotNullConstraints().isEmpty()) {
                store.addNotNullConstraints(rows.getNotNullConstraints());
            }
            if (!rows.getDefaultConstraints().isEmpty()) {
                store.addDefaultConstraints(rows.getDefaultConstraints());
            }
            if (!rows.getCheckConstraints().isEmpty()) {
                store.addCheckConstraints(rows.getCheckConstraints());
            }
        } catch (InvalidObjectException e) {
            throw new SkepException(StandardErrorCode.INVALID_CONSTRAINT, invalid(String.valueOf(e.getMessage())), e);
        }
    }

    /** Checks that there is at most one primary key and that names are unique. */
    static void check(List<Constraint> present, List<Constraint> added, String table) {
        List<Constraint> all = new ArrayList<>(present);
        all.addAll(added);
        Set<String> names = new HashSet<>();
        boolean primaryKey = false;
        for (Constraint one : all) {
            if (!one.name().isEmpty() && !names.add(one.name().toLowerCase(Locale.ROOT))) {
                throw new SkepException(
                        StandardErrorCode.INVALID_CONSTRAINT,
                        invalid("Constraint name already exists: " + table + "." + one.name()));
            }
            if (one instanceof Constraint.PrimaryKey && primaryKey) {
                throw new SkepException(
                        StandardErrorCode.INVALID_CONSTRAINT, invalid("Primary key already exists for: " + table));
            }
            primaryKey |= one instanceof Constraint.PrimaryKey;
        }
    }

    /** Returns a text as the metastore's own exceptions show it. */
    private static String invalid(String message) {
        return "InvalidObjectException(message:" + message + ")";
    }

    void drop(Table table, String name) {
        stores.write("drop constraint " + name + " of " + table.qualifiedName(), store -> {
            var target = HiveTables.require(store, table.database(), table.name());
            boolean known = read(store, table.database(), table.name()).stream()
                    .anyMatch(one -> one.name().equalsIgnoreCase(name));
            if (!known) {
                throw new SkepException(
                        StandardErrorCode.INVALID_CONSTRAINT,
                        invalid("The constraint: " + name + " does not exist for the associated table: "
                                + table.qualifiedName()));
            }
            store.dropConstraint(CATALOG, table.database(), table.name(), name);
            log.alteredTable(store, target, target);
            return true;
        });
    }
}
