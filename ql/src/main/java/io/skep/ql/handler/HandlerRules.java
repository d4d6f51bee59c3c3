package io.skep.ql.handler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import java.util.Map;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Which statements are for tables of storage handlers: their rows are read only, and in no files. */
public final class HandlerRules {
    private static final String CHANGES = "[ADDPROPS, DROPPROPS, ADDCOLS]";

    private HandlerRules() {}

    /** @throws SkepException NOT_SUPPORTED for a table of a storage handler, with the name of the statement */
    public static void refuse(Table table, String statement, TextPosition where) {
        table.storageHandler().ifPresent(handler -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            statement + " is not supported for " + table.qualifiedName()
                                    + ", whose rows are those of the storage handler " + handler)
                    .at(where);
        });
    }

    /** @throws SkepException in Hive's words, for a table of a storage handler */
    public static void refuse(Table table, ErrorMsg error, TextPosition where) {
        if (table.storageHandler().isPresent()) {
            throw CompileErrors.plain(
                    where,
                    StandardErrorCode.NOT_A_TABLE,
                    error,
                    error.format(table.name()).strip());
        }
    }

    /** @throws SkepException in Hive's words, for a table of a storage handler */
    public static void refuseAlter(Table table, TextPosition where) {
        if (table.storageHandler().isPresent()) {
            ErrorMsg error = ErrorMsg.ALTER_TABLE_NON_NATIVE;
            throw CompileErrors.plain(where, StandardErrorCode.NOT_A_TABLE, error, error.format(CHANGES, table.name()));
        }
    }

    /**
     * Refuses the property that names a storage handler. Only STORED BY sets it.
     *
     * @throws SkepException NOT_SUPPORTED
     */
    public static void requireClause(Map<String, String> properties, TextPosition where) {
        if (properties.containsKey(Table.STORAGE_HANDLER)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the property " + Table.STORAGE_HANDLER + " is set by STORED BY only")
                    .at(where);
        }
    }

    /**
     * Keeps the storage handler as it is: files of a table that gets one could not be read any more.
     *
     * @throws SkepException NOT_SUPPORTED when it changes
     */
    public static void requireKept(Table before, Table after, TextPosition where) {
        if (!before.storageHandler().equals(after.storageHandler())) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the property " + Table.STORAGE_HANDLER + " of a table cannot change")
                    .withHint("create another table, with STORED BY")
                    .at(where);
        }
    }
}
