package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.storage.serde.StorageHandlers;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.ql.metadata.HiveStorageHandler;
import org.jspecify.annotations.NullUnmarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What storage handlers do when one of their tables is created or dropped: they check it, complete its properties, or
 * create and delete what the other system keeps. Called as Hive's client of the metastore does.
 */
@NullUnmarked
final class HandlerHooks {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerHooks.class);

    /** A call of a hook. */
    @FunctionalInterface
    interface Call {
        void on(HiveMetaHook hook) throws MetaException;
    }

    private final String table;
    private final Optional<HiveMetaHook> hook;

    private HandlerHooks(String table, Optional<HiveMetaHook> hook) {
        this.table = table;
        this.hook = hook;
    }

    /** Whether another system keeps the rows of a table. */
    static boolean mayHave(org.apache.hadoop.hive.metastore.api.Table table) {
        return handler(table).isPresent();
    }

    private static Optional<String> handler(org.apache.hadoop.hive.metastore.api.Table table) {
        return Optional.ofNullable(table.getParameters())
                .map(properties -> properties.get(Table.STORAGE_HANDLER))
                .filter(name -> !name.isBlank());
    }

    /** Returns the hooks of a new table. A statement has looked whether the handler's class is there. */
    static HandlerHooks of(org.apache.hadoop.hive.metastore.api.Table table) {
        return of(table, false);
    }

    /**
     * Returns the hooks of a table that is dropped. Without the handler's class, a table is dropped that another system
     * keeps anyway.
     *
     * @param ownsData whether the data is deleted with the table
     * @throws SkepException STORAGE_HANDLER_FAILED when the class is not there to delete the data
     */
    static HandlerHooks ofDropped(org.apache.hadoop.hive.metastore.api.Table table, boolean ownsData) {
        return of(table, ownsData);
    }

    private static HandlerHooks of(org.apache.hadoop.hive.metastore.api.Table table, boolean required) {
        Optional<String> handler = handler(table);
        String name = table.getDbName() + "." + table.getTableName();
        if (handler.isEmpty()) {
            return new HandlerHooks(name, Optional.empty());
        }
        try {
            HiveStorageHandler made = StorageHandlers.load(handler.get(), new Configuration());
            return new HandlerHooks(name, Optional.ofNullable(made.getMetaHook()));
        } catch (SkepException e) {
            if (required) {
                throw failed(name, e);
            }
            return new HandlerHooks(name, Optional.empty());
        }
    }

    void run(Call call) {
        if (hook.isEmpty()) {
            return;
        }
        try {
            call.on(hook.get());
        } catch (MetaException | RuntimeException e) {
            throw failed(table, e);
        }
    }

    /** Calls a hook after a failure, which is what the caller hears about. */
    void rollBack(Call call) {
        try {
            run(call);
        } catch (SkepException e) {
            LOG.warn("Rolling back {}", table, e);
        }
    }

    private static SkepException failed(String table, Throwable cause) {
        return new SkepException(
                StandardErrorCode.STORAGE_HANDLER_FAILED,
                "the storage handler of " + table + " failed: " + cause.getMessage(),
                cause);
    }
}
