package io.skep.ql.insert;

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
     * @throws io.skep.common.error.SkepException INVALID_PARTITION when a partition of such a destination is dynamic
     */
    static boolean any(List<Destination> destinations, StatementContext context) {
        boolean kept = false;
        for (Destination destination : destinations) {
            kept |= isKept(destination, context);
        }
        return kept;
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
