package io.skep.ql.show;

import io.skep.metastore.Table;
import io.skep.ql.create.ConstraintText;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;

/** Shows row filters and masks, and statistics of what they hide, to those who may set them. */
final class ShownPolicies {
    private ShownPolicies() {}

    /** Returns the table without the properties of policies, unless the user may set them. */
    static Table of(Table table, StatementContext context) {
        return PolicyProperties.of(table).isEmpty() || context.mayChange(table)
                ? table
                : Revision.properties(table, PolicyProperties.without(table.properties()));
    }

    /** Whether the statistics of a column tell what the user may not see. */
    static boolean hide(Table table, String column, StatementContext context) {
        boolean own = PolicyProperties.of(table).hides(column) && !context.mayChange(table);
        return own || context.access().policiesOfSite(table).hides(column);
    }

    /** Returns the statements that set the policies again. */
    static List<String> statements(Table table) {
        TablePolicies policies = PolicyProperties.of(table);
        String alter = (table.kind() == Table.TableKind.VIRTUAL_VIEW ? "ALTER VIEW " : "ALTER TABLE ")
                + ConstraintText.quoted(table.database()) + "." + ConstraintText.quoted(table.name());
        List<String> statements = new ArrayList<>();
        policies.rowFilter().ifPresent(text -> statements.add(alter + " SET ROW FILTER (" + text + ");"));
        policies.masks()
                .forEach((column, text) -> statements.add(
                        alter + " ALTER COLUMN " + ConstraintText.quoted(column) + " SET MASK (" + text + ");"));
        return statements;
    }
}
