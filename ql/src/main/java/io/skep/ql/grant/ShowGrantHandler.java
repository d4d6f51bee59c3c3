package io.skep.ql.grant;

import static io.skep.ql.grant.ShowRolesHandler.text;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeGrant;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionRoles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW GRANT [principal] [ON object | ON ALL]. The grants on a table include those on its columns. */
public final class ShowGrantHandler implements StatementHandler {
    static final List<ResultColumn> COLUMNS = List.of(
            text("database"),
            text("table"),
            text("partition"),
            text("column"),
            text("principal_name"),
            text("principal_type"),
            text("privilege"),
            new ResultColumn("grant_option", PrimitiveType.BOOLEAN, ""),
            new ResultColumn("grant_time", PrimitiveType.BIGINT, ""),
            text("grantor"));

    private static final Comparator<PrivilegeGrant> ORDER = Comparator.comparing(
                    (PrivilegeGrant grant) -> grant.object().database())
            .thenComparing(grant -> grant.object().table().orElse(""))
            .thenComparing(grant -> grant.object().column().orElse(""))
            .thenComparing(grant -> grant.principal().name())
            .thenComparing(grant -> grant.principal().kind())
            .thenComparing(PrivilegeGrant::privilege)
            .thenComparing(grant -> grant.grantor().name());

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Optional<Principal> principal = statement.children().stream()
                .filter(child -> child.is(HiveParser.TOK_USER)
                        || child.is(HiveParser.TOK_ROLE)
                        || child.is(HiveParser.TOK_GROUP))
                .findFirst()
                .map(SyntaxText::principal);
        Optional<PrivilegeObject> object =
                statement.first(HiveParser.TOK_PRIV_OBJECT_COL).map(node -> object(node.child(0), context));
        SessionRoles roles = context.access().ofSession().roles();
        return CommandStatement.withRows("SHOW_GRANT", COLUMNS, log -> {
            requireMaySee(principal, roles);
            return grants(principal, object, context)
                    .sorted(ORDER)
                    .map(ShowGrantHandler::row)
                    .toList();
        });
    }

    private static PrivilegeObject object(SyntaxNode named, StatementContext context) {
        return switch (named.type()) {
            case HiveParser.TOK_DB_TYPE -> PrivilegeObject.database(SyntaxText.identifier(named.child(0)));
            case HiveParser.TOK_TABLE_TYPE -> {
                TableName name = TableName.of(named.child(0), context);
                yield PrivilegeObject.table(name.database(), name.table());
            }
            default -> throw RoleErrors.invalid("Grants on this kind of object are not supported: " + named.text());
        };
    }

    private static void requireMaySee(Optional<Principal> principal, SessionRoles roles) {
        String prefix = "Error showing privileges: ";
        if (principal.isPresent()) {
            ShowRolesHandler.requireMaySee(principal.get(), roles, prefix);
        } else if (!roles.isAdmin()) {
            throw RoleErrors.adminOnly(
                    prefix + "User : " + roles.user() + " has to specify a user name or role in the show grant");
        }
    }

    private static Stream<PrivilegeGrant> grants(
            Optional<Principal> principal, Optional<PrivilegeObject> object, StatementContext context) {
        PrivilegeStore store = context.services().privileges();
        if (principal.isPresent()) {
            Predicate<PrivilegeGrant> wanted = object.<Predicate<PrivilegeGrant>>map(
                            named -> grant -> isOn(named, grant.object()))
                    .orElse(grant -> true);
            return store.grantsTo(principal.get()).stream().filter(wanted);
        }
        return object.map(named -> on(named, context)).orElseGet(() -> all(context)).stream();
    }

    /** Whether an object is another one, or a column of it. */
    private static boolean isOn(PrivilegeObject named, PrivilegeObject object) {
        return object.database().equals(named.database()) && object.table().equals(named.table());
    }

    private static List<PrivilegeGrant> on(PrivilegeObject named, StatementContext context) {
        PrivilegeStore store = context.services().privileges();
        List<PrivilegeGrant> grants = new ArrayList<>(store.grantsOn(named));
        named.table()
                .flatMap(table -> context.services().catalog().table(named.database(), table))
                .ifPresent(table -> onColumns(table, store, grants));
        return grants;
    }

    private static void onColumns(Table table, PrivilegeStore store, List<PrivilegeGrant> grants) {
        table.allColumns().stream()
                .map(FieldSchema::name)
                .forEach(column ->
                        grants.addAll(store.grantsOn(PrivilegeObject.column(table.database(), table.name(), column))));
    }

    private static List<PrivilegeGrant> all(StatementContext context) {
        List<PrivilegeGrant> grants = new ArrayList<>();
        for (String database : context.services().catalog().databases()) {
            grants.addAll(on(PrivilegeObject.database(database), context));
            for (String table : context.services().catalog().tables(database)) {
                grants.addAll(on(PrivilegeObject.table(database, table), context));
            }
        }
        return grants;
    }

    private static List<Datum> row(PrivilegeGrant grant) {
        return List.of(
                Datum.ofText(grant.object().database()),
                Datum.ofText(grant.object().table().orElse("")),
                Datum.ofText(""),
                Datum.ofText(grant.object().column().orElse("")),
                Datum.ofText(grant.principal().name()),
                Datum.ofText(grant.principal().kind().name()),
                Datum.ofText(grant.privilege()),
                ShowRolesHandler.flag(grant.grantOption()),
                new Datum.OfLong(grant.grantTime() * ShowRolesHandler.MILLIS),
                Datum.ofText(grant.grantor().name()));
    }
}
