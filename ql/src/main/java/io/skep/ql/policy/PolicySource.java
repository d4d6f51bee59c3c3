package io.skep.ql.policy;

import io.skep.metastore.Table;

/**
 * Says which policies hold for a table while one session reads it. {@link PolicyProperties} answers from the table
 * itself. A source whose answers differ between users must also enter the key of cached plans.
 */
@FunctionalInterface
public interface PolicySource {
    /** For what the server reads on its own account. */
    PolicySource NONE = table -> TablePolicies.NONE;

    /** @param table a table or view */
    TablePolicies of(Table table);
}
