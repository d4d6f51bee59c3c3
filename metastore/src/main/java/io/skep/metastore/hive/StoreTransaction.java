package io.skep.metastore.hive;

import javax.jdo.JDOHelper;
import javax.jdo.PersistenceManager;
import org.apache.hadoop.hive.metastore.ObjectStore;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.MetaException;

/** Gives access to the open transaction of a store of Hive's library, which does not expose it. */
final class StoreTransaction {
    /** The property of the database that {@link RawStore#getMetastoreDbUuid} makes when it is missing. */
    private static final String ID_OF_DATABASE = "guid";

    private StoreTransaction() {}

    /**
     * Returns what reads and writes objects in the store's open transaction, as an object that is read in it knows it.
     * {@link ObjectStore#getPersistenceManager} would open another one, outside of the transaction, that stays open.
     */
    static PersistenceManager of(RawStore store) throws MetaException {
        store.getMetastoreDbUuid();
        return ((ObjectStore) store).fetchProperties(ID_OF_DATABASE, JDOHelper::getPersistenceManager);
    }
}
