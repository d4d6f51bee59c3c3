package io.skep.ql.authorize;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.AccessRecord;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.policy.PolicySource;
import io.skep.ql.policy.TablePolicies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one statement needs, and whether that is allowed. While authorization is off, it only records what the statement
 * needs, if the server has an audit log, and asks HDFS about the user where it impersonates users. Owned by the thread
 * that compiles or runs the statement.
 *
 * <p>A statement declares its needs before it is compiled. The analysis of its queries adds the columns that they read.
 * {@link #check} may be called as soon as all names are resolved, and does so before anything is planned.
 * {@link #finish} checks the rest before the statement runs, and refuses a statement that has declared nothing. Later
 * reads, of an analysis that is repeated while the statement runs, are checked at once.
 *
 * <p>The access of a statement that is only {@link #explained} collects what it needs, and refuses nothing.
 */
public final class StatementAccess {
    private final SessionAccess ofSession;
    private final String text;
    private final boolean enabled;
    private final boolean recorded;
    private final boolean impersonated;
    private final boolean explained;
    private final AccessRecord record;
    private final List<AccessNeed> open = new ArrayList<>();

    /** The ids of the tables that have been checked, by name. */
    private final Map<String, Long> covered = new HashMap<>();

    /** Tables that the statement has looked up. */
    private final List<Table> looked = new ArrayList<>();

    private @Nullable StatementNeeds declared;
    private boolean asked;
    private boolean finished;

    /**
     * @param text of the statement, for the authorizer of the site
     * @param record takes what the statement needs, for the audit log
     */
    public StatementAccess(SessionAccess ofSession, String text, AccessRecord record) {
        this(ofSession, text, record, false);
    }

    private StatementAccess(SessionAccess ofSession, String text, AccessRecord record, boolean explained) {
        this.ofSession = ofSession;
        this.explained = explained;
        // Clients keep operations open, so the text is kept only where it is needed.
        this.text = ofSession.plugin().isPresent() ? text : "";
        this.enabled = ofSession.isEnabled();
        this.recorded = ofSession.session().settings().rules().audits();
        this.impersonated = ofSession.files().isImpersonated();
        this.record = record;
    }

    /** Returns the access of a statement of the same session that is compiled to see what it needs, and never run. */
    public StatementAccess explained() {
        return new StatementAccess(ofSession, text, new AccessRecord(), true);
    }

    /** Returns what holds for all statements of the session. */
    public SessionAccess ofSession() {
        return ofSession;
    }

    /** Returns the row filters and masks that hold for the statement. */
    public PolicySource policies() {
        return ofSession.policies(text);
    }

    /** Returns the row filter and the masks of the site alone, which hide from everybody what they hide. */
    public TablePolicies policiesOfSite(Table table) {
        return ofSession.policiesOfSite(table, text);
    }

    /** Whether authorization is on. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Whether a statement may be refused for what it needs. */
    public boolean isChecked() {
        return enabled || impersonated;
    }

    /** Whether it matters what the statement needs. */
    public boolean isWanted() {
        return isChecked() || recorded || explained;
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
                    permanent.stream()
                            .filter(need -> !need.privileges().isEmpty())
                            .map(AccessNeed::recorded)
                            .toList());
        }
        if (isChecked() || explained) {
            open.addAll(permanent);
        }
    }

    /** Returns what an {@link #explained} statement needs. */
    public List<AccessNeed> needs() {
        return List.copyOf(open);
    }

    /** Returns why an {@link #explained} statement would be refused. */
    public Optional<String> refusal() {
        try {
            requireOpen(required());
            return Optional.empty();
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.ACCESS_DENIED) {
                throw e;
            }
            return Optional.of(e.fullMessage());
        }
    }

    /** Whether the object is a temporary table of the session, which belongs to it. */
    private boolean isTemporary(AccessNeed need) {
        return need.object() instanceof AccessedObject.OfTable object && ofSession.isTemporary(object.table());
    }

    /**
     * Records that a handler has looked up a table by a name in the statement. The statement is refused unless it has
     * declared a need on this very table: another one may have taken the name since the check.
     *
     * @return the table
     */
    public Table named(Table table) {
        if (enabled && !explained && !ofSession.isTemporary(table)) {
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
            if (!ofSession.isTemporary(read.table())) {
                AccessedObject.Columns columns = new AccessedObject.Columns.Named(read.columns());
                add(AccessNeed.input(new AccessedObject.OfTable(read.table(), columns, Optional.empty()), privilege));
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
        if (enabled || explained) {
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
        if (!isChecked() || explained) {
            return;
        }
        StatementNeeds needs = required();
        if (!open.isEmpty()) {
            requireOpen(needs);
            for (AccessNeed need : open) {
                if (need.object() instanceof AccessedObject.OfTable object) {
                    covered.put(object.table().qualifiedName(), object.table().id());
                }
            }
            open.clear();
        }
    }

    private void requireOpen(StatementNeeds needs) {
        if (enabled) {
            decide(needs.operation());
        }
        ofSession.files().require(needs.operation(), open);
    }

    private void decide(String operation) {
        Optional<PluginAuthorizer> plugin = ofSession.plugin();
        if (plugin.isPresent()) {
            plugin.get().check(operation, open, text);
            asked = true;
        } else {
            ofSession.newCheck().require(operation, open);
        }
    }

    /**
     * Asks the authorizer of the site, if there is one, about an operation besides the declared one.
     *
     * @throws SkepException ACCESS_DENIED
     */
    public void askPlugin(String operation, List<AccessNeed> needs) {
        ofSession.plugin().ifPresent(plugin -> plugin.check(operation, needs, text));
    }

    /** Checks what is left, and all that is added later when it is added. */
    public void finish() {
        check();
        // The authorizer of the site is also asked about statements that name nothing.
        if (enabled && !asked && ofSession.plugin().isPresent() && required().asked()) {
            decide(required().operation());
        }
        requireCovered();
        finished = true;
    }
}
