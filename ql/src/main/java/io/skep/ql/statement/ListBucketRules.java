package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Table;

/** Which tables may have list buckets. */
public final class ListBucketRules {
    private ListBucketRules() {}

    /**
     * Refuses list buckets of a transactional table, whose files have folders by transactions.
     *
     * @throws SkepException NOT_SUPPORTED
     */
    public static void refuseTransactional(Table table, TextPosition where) {
        if (table.isTransactional() && table.storage().skew().isListBucketed()) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "SKEWED BY with STORED AS DIRECTORIES is not supported for the transactional table "
                                    + table.qualifiedName())
                    .withHint("leave STORED AS DIRECTORIES out, or create the table with 'transactional'='false'")
                    .at(where);
        }
    }
}
