package io.skep.ql.authorize;

import io.skep.metastore.Database;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.authorize.AccessedObject.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject.HivePrivObjectActionType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject.HivePrivilegeObjectType;
import org.jspecify.annotations.Nullable;

/** Makes the objects of Hive's plug-in interface. Many of their fields may be null. */
final class PrivilegeObjects {
    /** The metastore's catalog that Hive uses. */
    private static final String CATALOG = "hive";

    private final String user;

    /** @param user who owns what a statement creates */
    PrivilegeObjects(String user) {
        this.user = user;
    }

    /** Returns the objects of one side of a statement, each once. */
    List<HivePrivilegeObject> of(AccessNeed.Side side, List<AccessNeed> needs) {
        return needs.stream()
                .filter(need -> need.side() == side)
                .map(AccessNeed::object)
                .distinct()
                .flatMap(object -> of(object).stream())
                .toList();
    }

    private Optional<HivePrivilegeObject> of(AccessedObject accessed) {
        return switch (accessed) {
            case AccessedObject.OfTable object -> Optional.of(table(object.table(), columns(object), action(object)));
            case AccessedObject.OfNewTable(String database, String name) ->
                Optional.of(object(HivePrivilegeObjectType.TABLE_OR_VIEW, database, name, Owner.user(user)));
            case AccessedObject.OfDatabase(Database database) -> Optional.of(database(database));
            case AccessedObject.OfNewDatabase(String name) ->
                Optional.of(object(HivePrivilegeObjectType.DATABASE, name, null, Owner.NOBODY));
            case AccessedObject.OfFunction function -> Optional.of(function(function));
            case AccessedObject.OfPath path -> Optional.of(path(path));
            case AccessedObject.OfCommand command ->
                Optional.of(HivePrivilegeObject.createHivePrivilegeObject(command.parameters()));
            case AccessedObject.OfConnector(String name) ->
                Optional.of(object(HivePrivilegeObjectType.DATACONNECTOR, null, name, Owner.NOBODY));
            case AccessedObject.OfScheduledQuery(String namespace, String query, String owner) ->
                Optional.of(HivePrivilegeObject.forScheduledQuery(owner, namespace, query));
            // Hive tells its authorizers which object it is, and not that it is the server's.
            case AccessedObject.OfServer server -> Optional.empty();
        };
    }

    /** The principal who owns an object; both are null when nobody does. */
    private record Owner(@Nullable String name, @Nullable PrincipalType type) {
        static final Owner NOBODY = new Owner(null, null);

        static Owner user(String name) {
            return new Owner(name, PrincipalType.USER);
        }

        static Owner of(String name, boolean isRole) {
            return name.isEmpty() ? NOBODY : new Owner(name, isRole ? PrincipalType.ROLE : PrincipalType.USER);
        }
    }

    private static HivePrivilegeObject object(
            HivePrivilegeObjectType type, @Nullable String database, @Nullable String name, Owner owner) {
        return object(type, database, name, owner, null, HivePrivObjectActionType.OTHER, null);
    }

    private static HivePrivilegeObject object(
            HivePrivilegeObjectType type,
            @Nullable String database,
            @Nullable String name,
            Owner owner,
            @Nullable List<String> columns,
            HivePrivObjectActionType action,
            @Nullable String className) {
        return new HivePrivilegeObject(
                type,
                database == null ? null : CATALOG,
                database,
                name,
                null,
                columns,
                action,
                null,
                className,
                owner.name(),
                owner.type());
    }

    /** Returns the columns; null where the whole table is meant, or any of them. */
    private static @Nullable List<String> columns(AccessedObject.OfTable object) {
        return object.columns() instanceof Columns.Named(var names) && !names.isEmpty() ? new ArrayList<>(names) : null;
    }

    private static HivePrivObjectActionType action(AccessedObject.OfTable object) {
        return object.write()
                .map(how -> switch (how) {
                    case INSERT -> HivePrivObjectActionType.INSERT;
                    case INSERT_OVERWRITE -> HivePrivObjectActionType.INSERT_OVERWRITE;
                    case UPDATE -> HivePrivObjectActionType.UPDATE;
                    case DELETE -> HivePrivObjectActionType.DELETE;
                })
                .orElse(HivePrivObjectActionType.OTHER);
    }

    private static HivePrivilegeObject table(
            Table table, @Nullable List<String> columns, HivePrivObjectActionType action) {
        return object(
                HivePrivilegeObjectType.TABLE_OR_VIEW,
                table.database(),
                table.name(),
                Owner.of(table.owner(), table.ownerIsRole()),
                columns,
                action,
                null);
    }

    /** Returns a table or view without columns, for lists. */
    static HivePrivilegeObject table(Table table) {
        return table(table, null, HivePrivObjectActionType.OTHER);
    }

    /** Returns a table or view with all its columns, for row filters and masks. */
    static HivePrivilegeObject allColumns(Table table) {
        List<String> columns = new ArrayList<>();
        table.allColumns().stream().map(FieldSchema::name).forEach(columns::add);
        return table(table, columns, HivePrivObjectActionType.OTHER);
    }

    static HivePrivilegeObject database(Database database) {
        Owner owner = Owner.of(database.owner(), database.ownerIsRole());
        return object(HivePrivilegeObjectType.DATABASE, database.name(), null, owner);
    }

    private HivePrivilegeObject function(AccessedObject.OfFunction function) {
        return object(
                HivePrivilegeObjectType.FUNCTION,
                function.database().orElse(null),
                function.function(),
                function.database().isPresent() ? Owner.user(user) : Owner.NOBODY,
                null,
                HivePrivObjectActionType.OTHER,
                function.className().orElse(null));
    }

    private static HivePrivilegeObject path(AccessedObject.OfPath path) {
        return object(HivePrivilegeObjectType.valueOf(path.type()), null, path.resolved(), Owner.NOBODY);
    }
}
