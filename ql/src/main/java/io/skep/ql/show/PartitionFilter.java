package io.skep.ql.show;

import io.skep.common.error.SkepException;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.plan.Expression;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.physical.RexTranslator;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * WHERE of SHOW PARTITIONS: any condition over the partition columns. The default partition's value is null, but
 * conditions may also use its name.
 */
final class PartitionFilter {
    private final List<FieldSchema> keys;
    private final ExpressionCompiler compiler;
    private final Expression condition;

    /** @throws SkepException what is wrong with the condition, with its position */
    PartitionFilter(Table table, SyntaxNode condition, StatementContext context) {
        keys = table.partitionKeys();
        compiler = new ExpressionCompiler(context.session().userFunctions().registry());
        RelFactory factory = new RelFactory();
        List<String> names = keys.stream().map(FieldSchema::name).toList();
        List<SqlType> types = keys.stream().map(FieldSchema::type).toList();
        RelNode values = factory.noRows(names, types);
        RexNode resolved = new QueryAnalyzer(new SessionAnalysisContext(context), factory)
                .analyzeCondition(defaultsAsNull(condition), values);
        this.condition = new RexTranslator(factory.rex()).translate(resolved);
    }

    /**
     * Rewrites {@code k = '__HIVE_DEFAULT_PARTITION__'} to IS NULL for a column that is not text, and IS NULL to that
     * comparison for a text column.
     */
    private SyntaxNode defaultsAsNull(SyntaxNode node) {
        List<SyntaxNode> children =
                node.children().stream().map(this::defaultsAsNull).toList();
        boolean equal = node.is(HiveParser.EQUAL);
        if ((equal || node.is(HiveParser.NOTEQUAL)) && children.size() == 2) {
            SyntaxNode column = children.get(0);
            if (isDefault(children.get(1)) && !isText(column)) {
                SyntaxNode isNull = function(node, "isnull", column);
                return equal ? isNull : function(node, "isnotnull", column);
            }
        }
        if (node.is(HiveParser.TOK_FUNCTION) && children.size() == 2 && isText(children.get(1))) {
            if (children.get(0).text().equalsIgnoreCase("isnull")) {
                return comparison(node, HiveParser.EQUAL, "=", children.get(1));
            }
            if (children.get(0).text().equalsIgnoreCase("isnotnull")) {
                return comparison(node, HiveParser.NOTEQUAL, "<>", children.get(1));
            }
        }
        return node.withChildren(children);
    }

    private static SyntaxNode comparison(SyntaxNode where, int type, String operator, SyntaxNode column) {
        SyntaxNode value = new SyntaxNode(
                HiveParser.StringLiteral,
                "'" + PartitionName.DEFAULT_PARTITION + "'",
                List.of(),
                where.position(),
                where.offset(),
                "");
        return new SyntaxNode(type, operator, List.of(column, value), where.position(), where.offset(), where.source());
    }

    private static SyntaxNode function(SyntaxNode where, String name, SyntaxNode argument) {
        SyntaxNode called =
                new SyntaxNode(HiveParser.Identifier, name, List.of(), where.position(), where.offset(), "");
        return new SyntaxNode(
                HiveParser.TOK_FUNCTION,
                "TOK_FUNCTION",
                List.of(called, argument),
                where.position(),
                where.offset(),
                where.source());
    }

    private static boolean isDefault(SyntaxNode node) {
        return node.is(HiveParser.StringLiteral)
                && BaseSemanticAnalyzer.unescapeSQLString(node.text()).equals(PartitionName.DEFAULT_PARTITION);
    }

    /** Whether a column is text. A text column keeps the default partition's name as its value. */
    private boolean isText(SyntaxNode column) {
        return column.is(HiveParser.TOK_TABLE_OR_COL)
                && keys.stream()
                        .anyMatch(key -> key.name().equals(SyntaxText.identifier(column.child(0)))
                                && !PartitionPruner.isNull(PartitionName.DEFAULT_PARTITION, key.type()));
    }

    /** Returns the names of the partitions that satisfy the condition. */
    List<String> matching(List<String> names) {
        List<Vector> columns = new ArrayList<>();
        for (int key = 0; key < keys.size(); key++) {
            columns.add(column(names, key));
        }
        int[] positions = new int[names.size()];
        int count = compiler.compileFilter(condition).filter(new Batch(columns, names.size()), positions);
        List<String> matching = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            matching.add(names.get(positions[i]));
        }
        return matching;
    }

    private Vector column(List<String> names, int key) {
        SqlType type = keys.get(key).type();
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        for (String name : names) {
            String value = PartitionName.values(name).get(key);
            Datum datum = PartitionPruner.isNull(value, type) ? Datum.NULL : Datum.ofText(value);
            datum.appendTo(appender, PrimitiveType.STRING);
        }
        Vector texts = appender.build();
        if (type == PrimitiveType.STRING) {
            return texts;
        }
        Expression text = new Expression.InputColumn(0, PrimitiveType.STRING);
        return compiler.compile(new Expression.Cast(text, type)).evaluate(new Batch(List.of(texts), names.size()));
    }
}
