package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of row filters and masks when they are set, as they will be analyzed in queries. What their
 * subqueries read is recorded.
 */
public final class PolicyAnalyzer {
    /** The largest text that is kept with a table, in characters. */
    private static final int MAX_LENGTH = 32_000;

    private final Table table;
    private final AnalysisContext context;
    private final Set<TextEdit> edits = new LinkedHashSet<>();
    private final NamedTables named = new NamedTables();
    private final Environment environment;
    private final Scope rows;
    private final PolicyExpressions expressions;

    public PolicyAnalyzer(Table table, AnalysisContext context) {
        this.table = table;
        this.context = context;
        this.environment = new Environment(
                new RelFactory(),
                context.forPolicies(),
                new HashSet<>(),
                named,
                edits,
                QueryAnalyzer::nested,
                CommonTables.NONE,
                table.database(),
                List.of(table.qualifiedName()),
                new Expansion());
        Scope stored = stored();
        this.expressions = new PolicyExpressions(stored, environment);
        this.rows = expressions.over(Optional.empty());
    }

    private Scope stored() {
        RelFactory factory = environment.factory();
        if (table.kind() != Table.TableKind.VIRTUAL_VIEW) {
            return FromClause.table(table, "", factory, Optional.empty());
        }
        List<FieldSchema> columns = Views.columns(table);
        List<String> names = columns.stream().map(FieldSchema::name).toList();
        List<SqlType> types = columns.stream().map(FieldSchema::type).toList();
        RelNode none =
                LogicalValues.createEmpty(factory.cluster(), factory.types().rowType(names, types));
        List<ScopeColumn> scope =
                names.stream().map(name -> ScopeColumn.of("", name)).toList();
        return new Scope(factory, none, scope, Optional.empty());
    }

    /**
     * Returns the text of a row filter, with the full names of the tables that it reads.
     *
     * @throws SkepException what is wrong with it, at its place in the statement
     */
    public String rowFilter(SyntaxNode expression) {
        return text(expression, node -> expressions.condition(rows, node));
    }

    /** Returns the text of a mask of a column, like {@link #rowFilter}. */
    public String mask(SyntaxNode expression, FieldSchema column) {
        return text(expression, node -> expressions.mask(rows, node, column));
    }

    private String text(SyntaxNode expression, Function<SyntaxNode, RexNode> analysis) {
        RexNode value = analysis.apply(expression);
        refuseRandom(expression, value);
        if (context.wantsReads()) {
            context.recordReads(new ColumnReads(named).expression(value).found());
        }
        String text = TextEdit.apply(expression, edits);
        if (text.length() > MAX_LENGTH) {
            throw SemanticErrors.error(
                    StandardErrorCode.INVALID_ARGUMENT,
                    expression,
                    "a row filter or mask has at most " + MAX_LENGTH + " characters, this one has " + text.length());
        }
        // What is kept is read again for each query.
        new HiveSqlParser(environment.context().settings()).parseExpression(text);
        return text;
    }

    private static void refuseRandom(SyntaxNode where, RexNode value) {
        Calls calls = new Calls();
        value.accept(calls);
        calls.found.ifPresent(name -> {
            throw SemanticErrors.error(
                    StandardErrorCode.INVALID_ARGUMENT,
                    where,
                    "'" + name + "' may give another result each time, which a row filter or mask must not");
        });
    }

    /** Looks for a function that is not deterministic, also in subqueries. */
    private static final class Calls extends RexShuttle {
        private Optional<String> found = Optional.empty();

        @Override
        public RexNode visitCall(RexCall call) {
            if (!call.getOperator().isDeterministic()) {
                found = Optional.of(call.getOperator().getName());
            }
            return super.visitCall(call);
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            new RelVisitor() {
                @Override
                public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
                    node.accept(Calls.this);
                    super.visit(node, ordinal, parent);
                }
            }.go(query.rel);
            return super.visitSubQuery(query);
        }
    }
}
