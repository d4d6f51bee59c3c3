package io.skep.ql.statement;

import io.skep.metastore.Constraint;
import io.skep.metastore.Table;
import java.util.List;

/** Where definitions of tables go: the session for its temporary tables, the catalog for all others. */
public final class TableStore {
    private TableStore() {}

    public static boolean isTemporary(Table table, StatementContext context) {
        return context.session()
                .temporaryTables()
                .get(table.database(), table.name())
                .isPresent();
    }

    /** What holds for its rows; nothing for temporary tables and views. */
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
