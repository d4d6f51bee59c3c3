package io.skep.ql.grant;

import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeGrant;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.system.SystemCatalog;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.grant.GrantedPrivileges.Entry;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * GRANT privileges ON object TO principals [WITH GRANT OPTION], and REVOKE [GRANT OPTION FOR] privileges ON object FROM
 * principals. All grants of a statement change, or none. A user revokes what the same user has granted.
 */
public final class GrantHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        GrantedPrivileges named = GrantedPrivileges.of(statement, context);
        requireStored(named.object(), statement, context);
        List<Principal> principals = RoleMembershipHandler.principals(statement);
        PrivilegeStore store = context.services().privileges();
        if (statement.is(HiveParser.TOK_GRANT)) {
            boolean option = statement.has(HiveParser.TOK_GRANT_WITH_OPTION);
            return CommandStatement.changing("GRANT_PRIVILEGE", run -> {
                requireMayGrant(named, context);
                run.beginCommit();
                store.grant(grants(named, principals, option, context));
            });
        }
        boolean onlyOption = statement.has(HiveParser.TOK_GRANT_OPTION_FOR);
        return CommandStatement.changing("REVOKE_PRIVILEGE", run -> {
            List<PrivilegeGrant> revoked = grants(named, principals, onlyOption, context);
            requireGranted(named, principals, context);
            run.beginCommit();
            store.revoke(revoked, onlyOption);
        });
    }

    /** The metastore has no place for grants on system tables. Who may read them is fixed. */
    private static void requireStored(AccessedObject object, SyntaxNode statement, StatementContext context) {
        boolean isSystem = object instanceof AccessedObject.OfTable(var table, var _, var _)
                ? table.isSystem()
                : SystemTables.isBuiltIn(object.name(), context.catalog());
        if (isSystem) {
            throw SystemCatalog.readOnly(object.name()).at(statement.position());
        }
    }

    private static void requireMayGrant(GrantedPrivileges named, StatementContext context) {
        List<AccessNeed> needs = named.entries().stream()
                .map(entry -> AccessNeed.input(
                        named.required(entry), entry.privilege().withGrant()))
                .toList();
        context.access().ofSession().newCheck().denial("GRANT_PRIVILEGE", needs).ifPresent(denied -> {
            throw RoleErrors.denied(denied.words());
        });
    }

    private static List<PrivilegeGrant> grants(
            GrantedPrivileges named, List<Principal> principals, boolean option, StatementContext context) {
        Principal grantor = Principal.user(context.session().user());
        List<PrivilegeGrant> grants = new ArrayList<>();
        for (Principal principal : principals) {
            for (Entry entry : named.entries()) {
                for (PrivilegeObject object : named.stored(entry)) {
                    grants.add(new PrivilegeGrant(
                            object, principal, entry.privilege().name(), option, grantor, 0));
                }
            }
        }
        return grants;
    }

    private static void requireGranted(GrantedPrivileges named, List<Principal> principals, StatementContext context) {
        String user = context.session().user();
        for (Principal principal : principals) {
            for (Entry entry : named.entries()) {
                for (PrivilegeObject object : named.stored(entry)) {
                    boolean granted = context.services().privileges().grantsOn(object).stream()
                            .anyMatch(grant -> grant.principal().equals(principal)
                                    && grant.privilege()
                                            .equals(entry.privilege().name())
                                    && grant.grantor().equals(Principal.user(user)));
                    if (!granted) {
                        throw RoleErrors.invalid("Cannot find privilege " + entry.shown() + " for Principal [name="
                                + principal.name() + ", type=" + principal.kind() + "] on "
                                + named.object().shown() + " granted by " + user);
                    }
                }
            }
        }
    }
}
