package io.skep.ql.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.SqlType;
import io.skep.storage.table.TableLayout;
import java.util.List;

/** Lets programs outside of the server write parts of a session's temporary table. Thread-safe. */
@FunctionalInterface
public interface ExternalWrites {
    /** A server to which no such program can connect. */
    ExternalWrites NONE = target -> {
        throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "this server has no port for external writers");
    };

    /**
     * What is written.
     *
     * @param id the statement that has asked for the write
     * @param user the user whose session it is
     * @param table what the files look like
     * @param folder where the files go; hidden from scans of the table
     * @param names of the columns
     * @param types of the columns
     */
    record Target(QueryId id, String user, TableLayout table, String folder, List<String> names, List<SqlType> types) {
        public Target {
            names = List.copyOf(names);
            types = List.copyOf(types);
        }
    }

    /**
     * Begins a write.
     *
     * @throws SkepException NOT_SUPPORTED when a type cannot be sent, or when nobody could send rows
     */
    OpenWrite open(Target target);
}
