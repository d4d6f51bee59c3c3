package io.skep.metastore.system;

/** Reads the rows of system tables from the metastore's database. */
@FunctionalInterface
public interface SystemRowStore {
    /**
     * Passes the rows that the database has at this time, one after another. Memory does not depend on their number. An
     * interrupt ends the wait; some rows may be passed after it.
     *
     * @throws io.skep.common.error.SkepException METASTORE_ERROR
     */
    void read(RowRequest request, RowTarget target);
}
