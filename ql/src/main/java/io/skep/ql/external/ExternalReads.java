package io.skep.ql.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.List;

/** Makes splits for readers outside of the server, who may also write. Thread-safe. */
@FunctionalInterface
public interface ExternalReads {
    /** A server to which no such reader can connect. */
    ExternalReads NONE = (query, count) -> {
        throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "this server has no port for external readers");
    };

    /**
     * The splits of a query.
     *
     * @param schema a split that only has the schema of the rows
     * @param splits each row of the query is in one of them
     */
    record Splits(byte[] schema, List<byte[]> splits) {
        public Splits {
            splits = List.copyOf(splits);
        }
    }

    /**
     * @param count the maximum number of splits; 0 for the schema alone
     * @throws SkepException NOT_SUPPORTED when a type cannot be sent, or when nobody could read the splits
     */
    Splits splits(ExternalQuery query, int count);

    /** Returns what lets the same programs write. */
    default ExternalWrites writes() {
        return ExternalWrites.NONE;
    }
}
