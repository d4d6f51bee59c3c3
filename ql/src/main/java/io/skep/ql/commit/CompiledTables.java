package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.storage.registry.FormatProperties;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Compares the tables that a statement was compiled against with the catalog, at the time when their files are listed
 * or changed. All checks fail with TABLE_NOT_FOUND, or with TABLE_CHANGED when another table has the name or the table
 * was changed.
 */
public final class CompiledTables {
    private CompiledTables() {}

    /**
     * The check for reads. The content of the files determines how rows are found. A listing treats a missing folder as
     * an empty one, so a dropped or renamed table would seem to have no rows.
     *
     * @param tables tables of the catalog, without temporary tables of the session
     */
    public static void requireSamePlace(Collection<Table> tables, Catalog catalog) {
        tables.forEach(table -> require(table, catalog, CompiledTables::isSamePlace));
    }

    /** The check for writes, whose files were written for these columns and this format. */
    static void requireSame(Collection<Table> tables, Catalog catalog) {
        tables.forEach(table -> require(
                table,
                catalog,
                (now, compiled) -> isSamePlace(now, compiled)
                        && now.kind() == compiled.kind()
                        && now.partitionKeys().equals(compiled.partitionKeys())
                        && now.storage().equals(compiled.storage())
                        && ofFiles(now).equals(ofFiles(compiled))));
    }

    private static Map<String, String> ofFiles(Table table) {
        return FormatProperties.fileProperties(table.storage().format(), table.properties());
    }

    /** A table that has become transactional meanwhile is read and written in another way. */
    private static boolean isSamePlace(Table now, Table compiled) {
        return now.id() == compiled.id()
                && now.isTransactional() == compiled.isTransactional()
                && now.isInsertOnly() == compiled.isInsertOnly()
                && now.storage().location().equals(compiled.storage().location());
    }

    private static void require(Table compiled, Catalog catalog, BiPredicate<Table, Table> isSame) {
        Optional<Table> now = catalog.table(compiled.database(), compiled.name());
        if (now.isEmpty()) {
            throw new SkepException(
                    StandardErrorCode.TABLE_NOT_FOUND,
                    "Table not found '" + compiled.qualifiedName() + "': it was dropped or renamed meanwhile");
        }
        if (!isSame.test(now.get(), compiled)) {
            throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "table " + compiled.qualifiedName()
                                    + " was replaced, moved or altered by another statement meanwhile")
                    .withHint("run the statement again");
        }
    }
}
