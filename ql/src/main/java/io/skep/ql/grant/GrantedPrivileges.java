package io.skep.ql.grant;

import io.skep.common.error.SkepException;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.AccessedObject.Columns;
import io.skep.ql.authorize.AccessedObject.OfDatabase;
import io.skep.ql.authorize.AccessedObject.OfTable;
import io.skep.ql.authorize.GrantablePrivilege;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The privileges that a GRANT or REVOKE names, and the database or table that it names them for.
 *
 * @param object what errors show
 */
record GrantedPrivileges(AccessedObject object, List<Entry> entries) {
    /**
     * A privilege on the object, or on some of its columns.
     *
     * @param columns empty for the whole object
     */
    record Entry(GrantablePrivilege privilege, List<String> columns) {
        Entry {
            columns = List.copyOf(columns);
        }

        /** Returns the text of Hive's errors. */
        String shown() {
            return "Privilege [name=" + privilege + ", columns=" + (columns.isEmpty() ? "null" : columns) + "]";
        }
    }

    GrantedPrivileges {
        entries = List.copyOf(entries);
    }

    /** @throws SkepException INVALID_GRANT, or that the object or a column does not exist */
    static GrantedPrivileges of(SyntaxNode statement, StatementContext context) {
        AccessedObject object = object(named(statement), context);
        List<Entry> entries = new ArrayList<>();
        for (SyntaxNode privilege :
                statement.first(HiveParser.TOK_PRIVILEGE_LIST).orElseThrow().children()) {
            entries.addAll(entries(privilege, object));
        }
        return new GrantedPrivileges(object, entries);
    }

    /** Returns the object that the privileges are for. */
    static SyntaxNode named(SyntaxNode statement) {
        return statement
                .first(HiveParser.TOK_PRIV_OBJECT)
                .map(node -> node.child(0))
                .orElseThrow(() -> RoleErrors.invalid("No object is named that the privileges are for"));
    }

    static AccessedObject object(SyntaxNode named, StatementContext context) {
        return switch (named.type()) {
            case HiveParser.TOK_DB_TYPE -> database(SyntaxText.identifier(named.child(0)), context);
            case HiveParser.TOK_TABLE_TYPE -> {
                if (named.has(HiveParser.TOK_PARTSPEC)) {
                    throw RoleErrors.invalid("Privileges on partitions are not supported");
                }
                yield new OfTable(table(TableName.of(named.child(0), context), context));
            }
            default -> throw RoleErrors.invalid("Privileges on this kind of object are not supported: " + named.text());
        };
    }

    /** Returns a table. The statement checks by itself what may be granted on it. */
    private static Table table(TableName name, StatementContext context) {
        return context.services()
                .catalog()
                .table(name.database(), name.table())
                .orElseThrow(() -> name.notFound(context.catalog().tables(name.database())));
    }

    private static AccessedObject database(String name, StatementContext context) {
        return context.catalog()
                .database(name)
                .map(OfDatabase::new)
                .orElseThrow(() -> RoleErrors.invalid(
                        "Error getting object from metastore for Object [type=DATABASE, name=" + name + "]"));
    }

    private static List<Entry> entries(SyntaxNode node, AccessedObject object) {
        String name = name(node.child(0));
        List<String> columns = columns(node);
        if (name.equals("ALL")) {
            return Stream.of(GrantablePrivilege.values())
                    .map(privilege -> new Entry(privilege, List.of()))
                    .toList();
        }
        GrantablePrivilege privilege = GrantablePrivilege.named(name)
                .orElseThrow(() -> RoleErrors.invalid("Unsupported privilege type " + name));
        if (!columns.isEmpty()) {
            requireColumns(privilege, columns, object);
        }
        return List.of(new Entry(privilege, columns));
    }

    /** Returns the columns that a privilege is limited to. */
    static List<String> columns(SyntaxNode privilege) {
        return privilege.first(HiveParser.TOK_TABCOLNAME).stream()
                .flatMap(list -> list.children().stream())
                .map(SyntaxText::identifier)
                .toList();
    }

    /** Returns the privilege's name in statements. */
    static String name(SyntaxNode privilege) {
        String name = privilege.text().replaceFirst("^TOK_PRIV_", "");
        return switch (name) {
            case "ALTER_DATA" -> "UPDATE";
            case "ALTER_METADATA" -> "ALTER";
            default -> name;
        };
    }

    private static void requireColumns(GrantablePrivilege privilege, List<String> columns, AccessedObject object) {
        if (privilege != GrantablePrivilege.SELECT
                || !(object instanceof OfTable(Table table, Columns all, var write))) {
            throw RoleErrors.invalid("Only SELECT can be granted on columns, and only on those of a table or view");
        }
        List<String> known = table.allColumns().stream().map(FieldSchema::name).toList();
        for (String column : columns) {
            if (!known.contains(column)) {
                throw RoleErrors.invalid("Column '" + column + "' is not in " + table.qualifiedName())
                        .withHint("columns are " + String.join(", ", known));
            }
        }
    }

    /** Returns what a privilege is granted on in the metastore: the object, or each column. */
    List<PrivilegeObject> stored(Entry entry) {
        return switch (object) {
            case OfDatabase database ->
                List.of(PrivilegeObject.database(database.database().name()));
            case OfTable(Table table, Columns all, var write)
            when !entry.columns().isEmpty() ->
                entry.columns().stream()
                        .map(column -> PrivilegeObject.column(table.database(), table.name(), column))
                        .toList();
            case OfTable(Table table, Columns all, var write) ->
                List.of(PrivilegeObject.table(table.database(), table.name()));
            case AccessedObject.OfNewTable created -> List.of();
            case AccessedObject.OfNewDatabase created -> List.of();
            case AccessedObject.OfFunction function -> List.of();
            case AccessedObject.OfPath path -> List.of();
            case AccessedObject.OfScheduledQuery query -> List.of();
            case AccessedObject.OfConnector connector -> List.of();
            case AccessedObject.OfCommand command -> List.of();
            case AccessedObject.OfServer server -> List.of();
        };
    }

    /** Returns the object with the columns that a grantor must be able to pass on. */
    AccessedObject required(Entry entry) {
        return object instanceof OfTable table && !entry.columns().isEmpty()
                ? new OfTable(table.table(), new Columns.Named(entry.columns()), Optional.empty())
                : object;
    }
}
