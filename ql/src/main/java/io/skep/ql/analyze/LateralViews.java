package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.engine.function.FunctionCatalog.TableSignature;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TableFunctionApply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes table functions: LATERAL VIEW, and a table function that is the whole SELECT list. */
final class LateralViews {
    private final Environment environment;
    private final RelFactory factory;

    LateralViews(Environment environment) {
        this.environment = environment;
        this.factory = environment.factory();
    }

    /** @param node TOK_LATERAL_VIEW: a SELECT with the function, its column names and its alias */
    Scope apply(SyntaxNode node, Scope input) {
        SyntaxNode expression = node.child(0).child(0);
        SyntaxNode call = expression.child(0);
        String alias = expression
                .first(HiveParser.TOK_TABALIAS)
                .map(tableAlias -> Names.of(tableAlias.child(0)))
                .orElse("");
        List<SyntaxNode> names = expression.children().stream()
                .skip(1)
                .filter(child -> !child.is(HiveParser.TOK_TABALIAS))
                .toList();
        expression.first(HiveParser.TOK_TABALIAS).ifPresent(tableAlias -> environment.named(tableAlias.child(0)));
        return apply(call, names, alias, node.is(HiveParser.TOK_LATERAL_VIEW_OUTER), input);
    }

    /**
     * Returns the columns at the place of a SELECT list, followed by those of the function that is the whole list. Its
     * arguments may be aggregates and windows.
     */
    Scope ofSelect(SyntaxNode call, List<SyntaxNode> names, Resolver place, Windows windows) {
        ExpressionAnalyzer expressions = new ExpressionAnalyzer(environment, place, Optional.of(windows));
        List<RexNode> arguments = new ArrayList<>(expressions.analyze(FunctionCalls.arguments(call)));
        return apply(call, arguments, names, "", false, withWindows(place.scope(), arguments));
    }

    /** Computes the arguments with windows as further columns, and refers to these instead. */
    private Scope withWindows(Scope input, List<RexNode> arguments) {
        if (arguments.stream().noneMatch(RexOver::containsOver)) {
            return input;
        }
        List<RexNode> values = new ArrayList<>(factory.columns(input.rel()));
        List<ScopeColumn> columns = new ArrayList<>(input.columns());
        List<Integer> computed = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (RexOver.containsOver(arguments.get(i))) {
                computed.add(i);
                values.add(arguments.get(i));
                columns.add(new ScopeColumn("", "", "", false, true));
            }
        }
        RelNode rel = Projections.project(factory, input, values, List.of());
        Scope scope = new Scope(factory, rel, columns, input.outer());
        for (int i = 0; i < computed.size(); i++) {
            arguments.set(computed.get(i), scope.reference(input.columns().size() + i));
        }
        return scope;
    }

    /** Returns the input's columns, followed by the function's columns under an alias. */
    private Scope apply(SyntaxNode call, List<SyntaxNode> names, String alias, boolean outer, Scope input) {
        if (!new Aggregates(environment.context().functions()).isTableFunction(call)) {
            throw SemanticErrors.near(call, ErrorMsg.INVALID_AS)
                    .withHint("LATERAL VIEW takes a table function such as explode");
        }
        ExpressionAnalyzer expressions = new ExpressionAnalyzer(environment, input, Optional.empty());
        return apply(call, expressions.analyze(FunctionCalls.arguments(call)), names, alias, outer, input);
    }

    private Scope apply(
            SyntaxNode call,
            List<RexNode> arguments,
            List<SyntaxNode> names,
            String alias,
            boolean outer,
            Scope input) {
        TableSignature signature = signature(call, arguments);
        List<String> columnNames = names(call, names, signature);
        boolean isSchema = FunctionCalls.name(call).equals(QuerySchema.NAME);
        RelNode applied = new TableFunctionApply(
                factory.cluster(),
                factory.cluster().traitSetOf(Convention.NONE),
                input.rel(),
                isSchema ? QuerySchema.STACK : signature.function(),
                isSchema ? QuerySchema.columns(call, arguments.getFirst(), environment) : arguments,
                outer,
                factory.types().rowType(columnNames, signature.columnTypes()).getFieldList());
        List<ScopeColumn> columns = new ArrayList<>(input.columns());
        columnNames.forEach(name -> columns.add(ScopeColumn.of(alias, name)));
        return new Scope(factory, applied, columns, input.outer());
    }

    private TableSignature signature(SyntaxNode call, List<RexNode> arguments) {
        try {
            return environment
                    .context()
                    .functions()
                    .table(FunctionCalls.name(call), Arguments.describe(arguments, environment));
        } catch (SkepException e) {
            throw ArgumentErrors.ofClass(call, e);
        }
    }

    private List<String> names(SyntaxNode call, List<SyntaxNode> given, TableSignature signature) {
        List<SqlType> types = signature.columnTypes();
        if (given.isEmpty()) {
            return signature.columnNames();
        }
        if (given.size() != types.size()) {
            ErrorMsg error = ErrorMsg.UDTF_ALIAS_MISMATCH;
            throw SemanticErrors.plain(
                    call, error, error.getMsg() + " expected " + types.size() + " aliases but got " + given.size());
        }
        given.forEach(environment::named);
        return given.stream().map(Names::of).toList();
    }
}
