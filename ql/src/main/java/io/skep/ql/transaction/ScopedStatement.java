package io.skep.ql.transaction;

/** A statement that reads or writes rows in a transaction of its own, if their tables are transactional. */
public interface ScopedStatement {
    /** Returns the scope of the transaction. */
    TransactionScope scope();
}
