package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * INSERT OVERWRITE TABLE ... PARTITION (...) IF NOT EXISTS, which keeps the rows of a partition that is there. As in
 * Hive, the clause has no effect without PARTITION, and a statement with several destinations writes to none of them
 * when one of their partitions is there.
 */
final class KeptPartitions {
    private KeptPartitions() {}

    /**
     * Whether the statement writes nothing.
     *
     * @throws SkepException INVALID_PARTITION when a partition of such a destination is dynamic
     */
    static boolean any(List<Destination> destinations, StatementContext context) {
        boolean kept = false;
        for (Destination destination : destinations) {
            kept |= isKept(destination, context);
        }
        return kept;
    }

    /**
     * Requires that no other statement has added the partition since this one was compiled. Called while no other
     * statement can change the table.
     *
     * @throws SkepException INVALID_PARTITION when the partition is there
     */
    static void requireAbsent(Destination destination, StatementContext context) {
        if (isKept(destination, context)) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PARTITION,
                            "another statement has added partition " + destination.staticPath() + " of "
                                    + destination.table().qualifiedName() + "; nothing was written")
                    .withHint("IF NOT EXISTS keeps its rows");
        }
    }

    private static boolean isKept(Destination destination, StatementContext context) {
        if (!destination.syntax().has(HiveParser.TOK_IFNOTEXISTS)
                || !destination.syntax().child(0).has(HiveParser.TOK_PARTSPEC)) {
            return false;
        }
        if (!destination.dynamicColumns().isEmpty()) {
            throw CompileErrors.plain(
                    destination.syntax().position(),
                    StandardErrorCode.INVALID_PARTITION,
                    ErrorMsg.INSERT_INTO_DYNAMICPARTITION_IFNOTEXISTS,
                    ErrorMsg.INSERT_INTO_DYNAMICPARTITION_IFNOTEXISTS.getMsg() + " " + destination.staticValues());
        }
        List<String> values = destination.table().partitionKeys().stream()
                .map(FieldSchema::name)
                .map(name -> destination.staticValues().getOrDefault(name, ""))
                .toList();
        return context.catalog().partition(destination.table(), values).isPresent();
    }
}
