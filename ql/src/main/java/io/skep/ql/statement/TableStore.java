package io.skep.ql.statement;

import io.skep.metastore.Table;

/** Where definitions of tables go: the session for its temporary tables, the catalog for all others. */
final class TableStore {
    private TableStore() {}

    static boolean isTemporary(Table table, StatementContext context) {
        return context.session()
                .temporaryTables()
                .get(table.database(), table.name())
                .isPresent();
    }

    static void replace(Table before, Table after, boolean cascade, StatementContext context) {
        if (isTemporary(before, context)) {
            context.session().temporaryTables().replace(before, after);
        } else {
            context.catalog().alterTable(before.database(), before.name(), after, cascade);
        }
    }
}
