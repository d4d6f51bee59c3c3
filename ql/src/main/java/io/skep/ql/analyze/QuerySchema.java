package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The table function get_sql_schema: the names and types of the columns of a query, which are known when the statement
 * is compiled. The user has to be allowed to read what the query reads.
 */
final class QuerySchema {
    static final String NAME = "get_sql_schema";

    /** The table function that returns constants. */
    static final String STACK = "stack";

    private QuerySchema() {}

    /**
     * Returns arguments of {@link #STACK} for the columns' names and types.
     *
     * @param text a constant with the query
     */
    static List<RexNode> columns(SyntaxNode call, RexNode text, Environment environment) {
        Datum query = Arguments.describe(List.of(text), environment)
                .getFirst()
                .constant()
                .filter(Datum.OfBytes.class::isInstance)
                .orElseThrow(() -> SemanticErrors.semantic(call, NAME + " takes a constant with the text of a query"));
        SyntaxNode syntax = new HiveSqlParser(environment.context().settings()).parse(query.toString());
        if (!syntax.is(HiveParser.TOK_QUERY) && !SetOperations.isSetOperation(syntax)) {
            throw SemanticErrors.semantic(call, NAME + " takes the text of a query, not of another statement");
        }
        List<ResultColumn> columns = new QueryAnalyzer(environment.context(), new RelFactory())
                .analyze(syntax)
                .columns();
        HiveRexBuilder rex = environment.factory().rex();
        List<RexNode> arguments = new ArrayList<>();
        arguments.add(rex.constant(new Datum.OfLong(columns.size()), PrimitiveType.INT));
        for (ResultColumn column : columns) {
            arguments.add(rex.constant(Datum.ofText(column.name()), PrimitiveType.STRING));
            arguments.add(rex.constant(Datum.ofText(column.type().displayName()), PrimitiveType.STRING));
        }
        return arguments;
    }
}
