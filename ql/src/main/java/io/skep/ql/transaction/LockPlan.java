package io.skep.ql.transaction;

import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The locks that Hive takes on transactional tables, by what a statement does with them. */
final class LockPlan {
    private LockPlan() {}

    static List<LockComponent> of(List<TableUse> uses, TransactionSettings settings) {
        LinkedHashSet<LockComponent> locks = new LinkedHashSet<>();
        uses.forEach(use -> locks.add(of(use, settings)));
        return List.copyOf(locks);
    }

    private static LockComponent of(TableUse use, TransactionSettings settings) {
        return new LockComponent(
                kind(use.access(), settings),
                operation(use.access()),
                use.table().database(),
                Optional.of(use.table().name()),
                use.partition(),
                true,
                use.writesDynamicPartitions());
    }

    /** A kind of write excludes others of its kind, or leaves the conflict to the commit. */
    private static LockKind kind(TableAccess access, TransactionSettings settings) {
        boolean exclusive = settings.exclusiveWrites();
        return switch (access) {
            case READ, DEFINE_SHARED -> LockKind.SHARED_READ;
            case INSERT -> exclusive ? LockKind.SHARED_READ : LockKind.SHARED_WRITE;
            case OVERWRITE -> exclusive && settings.exclusiveOverwrites() ? LockKind.EXCLUSIVE : LockKind.EXCL_WRITE;
            case UPDATE, DELETE -> exclusive ? LockKind.EXCL_WRITE : LockKind.SHARED_WRITE;
            case TRUNCATE, DEFINE_ALONE -> LockKind.EXCL_WRITE;
            case DEFINE_EXCLUSIVE -> LockKind.EXCLUSIVE;
        };
    }

    /**
     * Returns what the metastore records as done. Hive records nothing for TRUNCATE. It is recorded here as an update,
     * so that the folder of an aborted one is known to the cleaner, and a conflict with an update is found.
     */
    private static DataOperation operation(TableAccess access) {
        return switch (access) {
            case READ -> DataOperation.SELECT;
            case INSERT -> DataOperation.INSERT;
            case OVERWRITE, TRUNCATE, UPDATE -> DataOperation.UPDATE;
            case DELETE -> DataOperation.DELETE;
            case DEFINE_SHARED, DEFINE_ALONE, DEFINE_EXCLUSIVE -> DataOperation.NO_TXN;
        };
    }

    /** Whether a snapshot that is older than the locks would miss rows that the statement has to change. */
    static boolean changesRows(List<TableUse> uses) {
        return uses.stream().map(TableUse::access).anyMatch(access -> switch (access) {
            case OVERWRITE, TRUNCATE, UPDATE, DELETE -> true;
            case READ, INSERT, DEFINE_SHARED, DEFINE_ALONE, DEFINE_EXCLUSIVE -> false;
        });
    }
}
