package io.skep.ql.alter;

import io.skep.metastore.PartitionName;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The locks on a transactional table that Hive takes for ALTER TABLE: exclusive ones, unless readers and writers cannot
 * notice the change. TOUCH, for which Hive takes none, is among the latter.
 */
final class AlterLocks {
    private static final Set<Integer> SHARED = Set.of(
            HiveParser.TOK_ALTERTABLE_ADDPARTS,
            HiveParser.TOK_ALTERTABLE_PROPERTIES,
            HiveParser.TOK_ALTERTABLE_SETSERDEPROPERTIES,
            HiveParser.TOK_ALTERPARTITION_SETSERDEPROPERTIES,
            HiveParser.TOK_ALTERTABLE_UNSETSERDEPROPERTIES,
            HiveParser.TOK_ALTERPARTITION_UNSETSERDEPROPERTIES,
            HiveParser.TOK_ALTERTABLE_UPDATECOLSTATS,
            HiveParser.TOK_ALTERPARTITION_UPDATECOLSTATS,
            HiveParser.TOK_ALTERTABLE_TOUCH);

    private AlterLocks() {}

    /** Returns the locks of a change of a table, or of the one partition that the statement names. */
    static List<TableUse> of(Alteration alteration) {
        if (!alteration.table().isTransactional()) {
            return List.of();
        }
        return TransactionalChange.uses(alteration.table(), access(alteration), partition(alteration));
    }

    private static TableAccess access(Alteration alteration) {
        int clause = alteration.clause().type();
        if (!SHARED.contains(clause)) {
            return TableAccess.DEFINE_EXCLUSIVE;
        }
        boolean onlyNew = clause == HiveParser.TOK_ALTERTABLE_ADDPARTS
                && alteration.clause().has(HiveParser.TOK_IFNOTEXISTS);
        return onlyNew ? TableAccess.DEFINE_ALONE : TableAccess.DEFINE_SHARED;
    }

    private static Optional<String> partition(Alteration alteration) {
        StatementContext context = alteration.context();
        return alteration
                .partition()
                .map(spec -> PartitionSpec.of(alteration.table(), spec, context))
                .filter(PartitionSpec::isComplete)
                .map(spec -> PartitionName.of(alteration.table(), spec.complete()));
    }
}
