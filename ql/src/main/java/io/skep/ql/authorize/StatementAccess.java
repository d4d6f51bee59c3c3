package io.skep.ql.authorize;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.ql.AccessRecord;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one statement needs, and whether that is allowed. While authorization is off, it only records what the statement
 * needs, if the server has an audit log. Owned by the thread that compiles or runs the statement.
 *
 * <p>A statement declares its needs before it is compiled. The analysis of its queries adds the columns that they read.
 * {@link #check} may be called as soon as all names are resolved, and does so before anything is planned.
 * {@link #finish} checks the rest before the statement runs, and refuses a statement that has declared nothing. Later
 * reads, of an analysis that is repeated while the statement runs, are checked at once.
 */
public final class StatementAccess {
    private final PrivilegeStore privileges;
    private final Session session;
    private final boolean enabled;
    private final boolean recorded;
    private final AccessRecord record;
    private final List<AccessNeed> open = new ArrayList<>();

    /** The ids of the tables that have been checked, by name. */
    private final Map<String, Long> covered = new HashMap<>();

    /** Tables that the statement has looked up. */
    private final List<Table> looked = new ArrayList<>();

    private @Nullable StatementNeeds declared;
    private boolean finished;

    /** @param record takes what the statement needs, for the audit log */
    public StatementAccess(PrivilegeStore privileges, Session session, AccessRecord record) {
        this.privileges = privileges;
        this.session = session;
        this.enabled = session.settings().rules().authorizes();
        this.recorded = session.settings().rules().audits();
        this.record = record;
    }

    /** Whether authorization is on. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Whether it matters what the statement needs. */
    public boolean isWanted() {
        return enabled || recorded;
    }

    /** Returns the roles of the session's user. */
    public SessionRoles roles() {
        return new SessionRoles(privileges, session);
    }

    /** Returns a check that holds for the session's present roles, also while authorization is off. */
    public AccessCheck newCheck() {
        return new AccessCheck(privileges, roles());
    }

    /** Replaces what was declared before, but no read that was added. */
    public void declare(StatementNeeds needs) {
        if (!isWanted()) {
            return;
        }
        List<AccessNeed> permanent =
                needs.needs().stream().filter(need -> !isTemporary(need)).toList();
        declared = needs;
        if (recorded) {
            record.declare(
                    needs.operation(),
                    permanent.stream().map(AccessNeed::recorded).toList());
        }
        if (enabled) {
            open.addAll(permanent);
        }
    }

    /** Whether the object is a temporary table of the session, which belongs to it. */
    private boolean isTemporary(AccessNeed need) {
        return need.object() instanceof AccessedObject.OfTable object && isTemporary(object.table());
    }

    private boolean isTemporary(Table table) {
        return session.temporaryTables().get(table.database(), table.name()).isPresent();
    }

    /**
     * Records that a handler has looked up a table by a name in the statement. The statement is refused unless it has
     * declared a need on this very table: another one may have taken the name since the check.
     *
     * @return the table
     */
    public Table named(Table table) {
        if (enabled && !isTemporary(table)) {
            looked.add(table);
            if (finished) {
                requireCovered();
            }
        }
        return table;
    }

    private void requireCovered() {
        for (Table table : looked) {
            Long checked = covered.get(table.qualifiedName());
            if (checked == null || checked != table.id()) {
                throw AccessCheck.denied("Permission denied: " + required().operation() + " has not been checked for "
                        + new AccessedObject.OfTable(table).shown());
            }
        }
        looked.clear();
    }

    /** Adds what a query of the statement reads. */
    public void addReads(List<ColumnRead> reads) {
        if (!isWanted()) {
            return;
        }
        RequiredPrivilege privilege = enabled || declared != null ? required().read() : RequiredPrivilege.SELECT;
        for (ColumnRead read : reads) {
            if (!isTemporary(read.table())) {
                AccessedObject.Columns columns = new AccessedObject.Columns.Named(read.columns());
                add(AccessNeed.of(new AccessedObject.OfTable(read.table(), columns, Optional.empty()), privilege));
            }
        }
        if (finished) {
            check();
        }
    }

    private void add(AccessNeed read) {
        if (recorded && !finished) {
            record.addRead(read.recorded());
        }
        if (enabled) {
            open.add(read);
        }
    }

    private StatementNeeds required() {
        StatementNeeds needs = declared;
        if (needs == null) {
            throw AccessCheck.denied("Permission denied: the statement does not say what it needs");
        }
        return needs;
    }

    /** @throws SkepException ACCESS_DENIED when something is missing of what is known so far */
    public void check() {
        if (!enabled) {
            return;
        }
        StatementNeeds needs = required();
        if (!open.isEmpty()) {
            newCheck().require(needs.operation(), open);
            for (AccessNeed need : open) {
                if (need.object() instanceof AccessedObject.OfTable object) {
                    covered.put(object.table().qualifiedName(), object.table().id());
                }
            }
            open.clear();
        }
    }

    /** Checks what is left, and all that is added later when it is added. */
    public void finish() {
        check();
        requireCovered();
        finished = true;
    }

    /** Returns the tables and views that statements and metadata calls of the session list. */
    public static Predicate<Table> visible(PrivilegeStore privileges, Session session) {
        if (!session.settings().rules().authorizes()) {
            return table -> true;
        }
        AccessCheck check = new AccessCheck(privileges, new SessionRoles(privileges, session));
        Set<PrivilegeObject> granted = check.tablesWithGrants();
        return table -> check.isVisible(table, granted)
                || session.temporaryTables().get(table.database(), table.name()).isPresent();
    }
}
