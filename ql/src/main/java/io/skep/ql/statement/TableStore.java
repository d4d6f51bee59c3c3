package io.skep.ql.statement;

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

    /** Returns the constraints on a table's rows; none for temporary tables and views. */
    public static List<Constraint> constraints(Table table, StatementContext context) {
        return table.kind() == Table.TableKind.VIRTUAL_VIEW || isTemporary(table, context)
                ? List.of()
                : context.catalog().constraints(table);
    }

    public static void replace(Table before, Table after, boolean cascade, StatementContext context) {
        if (isTemporary(before, context)) {
            context.session().temporaryTables().replace(before, after);
        } else {
            context.catalog().alterTable(before.database(), before.name(), after, cascade);
        }
    }
}
