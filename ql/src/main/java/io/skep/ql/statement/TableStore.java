package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Constraint;
import io.skep.metastore.Table;
import java.util.List;

/** Stores definitions of tables: in the session for temporary tables, in the catalog for all others. */
public final class TableStore {
    private TableStore() {}

    public static boolean isTemporary(Table table, StatementContext context) {
        return context.session()
                .temporaryTables()
                .get(table.database(), table.name())
                .isPresent();
    }

    /** Returns the constraints on a table's rows; none for views. */
    public static List<Constraint> constraints(Table table, StatementContext context) {
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW) {
            return List.of();
        }
        return isTemporary(table, context)
                ? context.session().temporaryTables().constraints(table)
                : context.catalog().constraints(table);
    }

    /**
     * Refuses a statement that does not know the folders of transactional tables.
     *
     * @throws SkepException NOT_SUPPORTED
     */
    public static void refuseTransactional(Table table, TextPosition position) {
        if (table.isTransactional()) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "this statement is not supported for transactional tables yet: " + table.qualifiedName())
                    .at(position);
        }
    }

    public static void replace(Table before, Table after, boolean cascade, StatementContext context) {
        if (isTemporary(before, context)) {
            context.session().temporaryTables().replace(before, after);
        } else {
            context.catalog().alterTable(before.database(), before.name(), after, cascade);
        }
    }
}
