package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import java.util.Collection;
import java.util.Optional;

/** Compares tables that a query was compiled against with the catalog, at the moment at which their files are listed. */
final class CompiledTables {
    private CompiledTables() {}

    /**
     * A folder that is gone is an empty one to a listing, so a dropped or renamed table would seem to have no rows.
     *
     * @param tables of the catalog, not the session's own
     * @throws SkepException TABLE_NOT_FOUND, or TABLE_CHANGED when another table has the name or the files are elsewhere
     */
    static void requireUnchanged(Collection<Table> tables, StatementContext context) {
        for (Table compiled : tables) {
            Optional<Table> now = context.catalog().table(compiled.database(), compiled.name());
            if (now.isEmpty()) {
                throw new SkepException(
                        StandardErrorCode.TABLE_NOT_FOUND,
                        "Table not found '" + compiled.qualifiedName() + "': it was dropped or renamed meanwhile");
            }
            boolean same = now.get().id() == compiled.id()
                    && now.get().storage().location().equals(compiled.storage().location());
            if (!same) {
                throw new SkepException(
                                StandardErrorCode.TABLE_CHANGED,
                                "table " + compiled.qualifiedName()
                                        + " was replaced or moved by another statement meanwhile")
                        .withHint("run the statement again");
            }
        }
    }
}
