package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.ql.metadata.HiveStorageHandler;
import org.jspecify.annotations.NullUnmarked;

/**
 * What storage handlers do when one of their tables is created or dropped: they check it, complete its properties, or
 * create and delete what the other system keeps. Called as Hive's client of the metastore does.
 */
@NullUnmarked
final class HandlerHooks {
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
        Map<String, String> properties = table.getParameters();
        String handler = properties == null ? null : properties.get(Table.STORAGE_HANDLER);
        String name = table.getDbName() + "." + table.getTableName();
        if (handler == null || handler.isBlank()) {
            return new HandlerHooks(name, Optional.empty());
        }
        try {
            HiveStorageHandler made = Class.forName(handler, true, HandlerHooks.class.getClassLoader())
                    .asSubclass(HiveStorageHandler.class)
                    .getDeclaredConstructor()
                    .newInstance();
            return new HandlerHooks(name, Optional.ofNullable(made.getMetaHook()));
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
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

    private static SkepException failed(String table, Throwable cause) {
        return new SkepException(
                StandardErrorCode.STORAGE_HANDLER_FAILED,
                "the storage handler of " + table + " failed: " + cause.getMessage(),
                cause);
    }
}
