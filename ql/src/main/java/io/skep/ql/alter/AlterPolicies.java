package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.analyze.PolicyAnalyzer;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Sets and drops row filters and column masks, and keeps the columns that they name. */
final class AlterPolicies {
    private AlterPolicies() {}

    static Runnable rowFilter(Alteration alteration) {
        Table table = alteration.table();
        Optional<String> text = alteration.clause().children().stream()
                .findFirst()
                .map(expression -> analyzer(alteration).rowFilter(expression));
        if (text.isEmpty() && PolicyProperties.of(table).rowFilter().isEmpty()) {
            throw missing(alteration, table.qualifiedName() + " has no row filter");
        }
        return replacement(alteration, PolicyProperties.withRowFilter(table.properties(), text));
    }

    static Runnable mask(Alteration alteration) {
        Table table = alteration.table();
        FieldSchema column = column(table, alteration.clause().child(0));
        Optional<String> text = alteration.clause().children().stream()
                .skip(1)
                .findFirst()
                .map(expression -> analyzer(alteration).mask(expression, column));
        if (text.isEmpty() && !PolicyProperties.of(table).masks().containsKey(column.name())) {
            throw missing(alteration, "the column " + column.name() + " of " + table.qualifiedName() + " has no mask");
        }
        return replacement(alteration, PolicyProperties.withMask(table.properties(), column.name(), text));
    }

    private static PolicyAnalyzer analyzer(Alteration alteration) {
        return new PolicyAnalyzer(alteration.table(), new SessionAnalysisContext(alteration.context()));
    }

    private static SkepException missing(Alteration alteration, String what) {
        return new SkepException(StandardErrorCode.INVALID_ARGUMENT, what)
                .at(alteration.clause().position());
    }

    private static Runnable replacement(Alteration alteration, Map<String, String> properties) {
        Table table = alteration.table();
        return () -> TableStore.replace(table, Revision.properties(table, properties), false, alteration.context());
    }

    private static FieldSchema column(Table table, SyntaxNode where) {
        String name = SyntaxText.identifier(where);
        if (table.partitionKeys().stream().anyMatch(key -> key.name().equals(name))) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the partition column " + name + " cannot have a mask: names of partitions and files show"
                                    + " its values")
                    .withHint("hide rows with a row filter, which may use the column")
                    .at(where.position());
        }
        return table.columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.COLUMN_NOT_FOUND,
                                "'" + name + "' is no column of " + table.qualifiedName())
                        .withHint("columns are "
                                + String.join(
                                        ", ",
                                        table.columns().stream()
                                                .map(FieldSchema::name)
                                                .toList()))
                        .at(where.position()));
    }

    /**
     * Refuses to remove, rename or retype a column that a policy names.
     *
     * @throws SkepException INVALID_ARGUMENT with the policy
     */
    static void requireColumns(Alteration alteration, List<FieldSchema> before, List<FieldSchema> after) {
        TablePolicies policies = PolicyProperties.of(alteration.table());
        if (policies.isEmpty()) {
            return;
        }
        for (FieldSchema column : before) {
            boolean stays = after.stream()
                    .anyMatch(other ->
                            other.name().equals(column.name()) && other.type().equals(column.type()));
            if (!stays) {
                policies.rowFilter()
                        .filter(text -> names(text, column.name()))
                        .ifPresent(text -> refuse(alteration, column, "the row filter", "DROP ROW FILTER"));
                policies.masks().forEach((masked, text) -> {
                    if (masked.equals(column.name()) || names(text, column.name())) {
                        refuse(
                                alteration,
                                column,
                                "the mask of column " + masked,
                                "ALTER COLUMN " + masked + " DROP MASK");
                    }
                });
            }
        }
    }

    private static void refuse(Alteration alteration, FieldSchema column, String policy, String remedy) {
        throw new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT,
                        "the column " + column.name() + " of "
                                + alteration.table().qualifiedName() + " is used by " + policy)
                .withHint("first ALTER TABLE ... " + remedy + ", and set it again afterwards")
                .at(alteration.clause().position());
    }

    /** Whether an expression has a name, perhaps that of a column of a subquery. */
    private static boolean names(String expression, String column) {
        SyntaxNode parsed = new HiveSqlParser(Map.of()).parseExpression(expression);
        return parsed.descendants(HiveParser.Identifier).stream()
                .anyMatch(name -> SyntaxText.identifier(name).equals(column));
    }
}
