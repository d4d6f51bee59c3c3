package io.skep.ql.authorize;

import java.util.ArrayList;
import java.util.List;

/**
 * What one statement needs.
 *
 * @param operation the statement's kind in Hive's errors, such as QUERY
 * @param needs what the statement names and what it writes; the columns that its queries read are added when they are
 *     analyzed
 * @param read the privilege on tables that its queries read
 * @param asked whether an authorizer of the site is asked even if the statement names nothing
 */
public record StatementNeeds(String operation, List<AccessNeed> needs, RequiredPrivilege read, boolean asked) {
    public StatementNeeds {
        needs = List.copyOf(needs);
    }

    public static StatementNeeds of(String operation, AccessNeed... needs) {
        return new StatementNeeds(operation, List.of(needs), RequiredPrivilege.SELECT, true);
    }

    public StatementNeeds and(List<AccessNeed> others) {
        List<AccessNeed> all = new ArrayList<>(needs);
        all.addAll(others);
        return new StatementNeeds(operation, all, read, asked);
    }

    public StatementNeeds reading(RequiredPrivilege privilege) {
        return new StatementNeeds(operation, needs, privilege, asked);
    }

    /** Returns the needs of a statement about which Hive does not ask an authorizer. */
    public static StatementNeeds unasked(String operation) {
        return new StatementNeeds(operation, List.of(), RequiredPrivilege.SELECT, false);
    }
}
