package io.skep.ql.show;

import io.skep.common.config.SecretSettings;
import io.skep.metastore.Table;
import io.skep.ql.create.ConstraintText;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows row filters and masks, statistics of what they hide, and the secrets of storage handlers to those who may set
 * them.
 */
final class ShownPolicies {
    private ShownPolicies() {}

    private static final String HIDDEN = "(hidden)";

    /** Returns the table without the properties of policies and with hidden secrets, unless the user may set them. */
    static Table of(Table table, StatementContext context) {
        boolean isOpen =
                PolicyProperties.of(table).isEmpty() && table.storageHandler().isEmpty();
        if (isOpen || context.mayChange(table)) {
            return table;
        }
        Table shown = Revision.properties(table, PolicyProperties.without(table.properties()));
        return table.storageHandler().isEmpty() ? shown : withoutSecrets(shown, context);
    }

    private static Table withoutSecrets(Table table, StatementContext context) {
        TableFormat format = table.storage().format();
        TableFormat shown = new TableFormat(
                format.inputFormat(), format.outputFormat(), format.serde(), hidden(format.properties(), context));
        return Revision.properties(table, hidden(table.properties(), context))
                .withStorage(table.storage().withFormat(shown));
    }

    private static Map<String, String> hidden(Map<String, String> properties, StatementContext context) {
        Map<String, String> shown = new HashMap<>(properties);
        shown.replaceAll((name, value) ->
                context.settings().rules().secrets().isSecret(name) ? HIDDEN : SecretSettings.redacted(value));
        return shown;
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
