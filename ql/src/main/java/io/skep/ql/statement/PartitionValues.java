package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.plan.Expression;
import io.skep.metastore.FieldSchema;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.physical.RexTranslator;
import io.skep.ql.rel.RelFactory;
import io.skep.storage.table.PartitionText;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Converts partition column values from statements to the text form that the metastore stores. */
public final class PartitionValues {
    private static final Batch ONE_ROW = new Batch(List.of(), 1);

    private static final Set<SqlType> WHOLE_NUMBERS =
            Set.of(PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT);
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");

    private PartitionValues() {}

    /**
     * Returns the text of a constant, converted to the column's type and back: {@code '01'} of an int column becomes
     * {@code 1}. With {@code hive.typecheck.on.insert=false}, texts and numbers stay as they are written. A text is not
     * rounded or stripped to a whole number: the statement would change the rows of another partition.
     *
     * @throws SkepException INVALID_PARTITION when the value is NULL or not of the column's type
     */
    public static String of(SyntaxNode value, FieldSchema key, StatementContext context) {
        if (!context.settings().getBoolean("hive.typecheck.on.insert")) {
            if (value.is(HiveParser.StringLiteral)) {
                return SyntaxText.string(value);
            }
            if (value.is(HiveParser.Number)) {
                return value.text();
            }
        }
        RelFactory factory = new RelFactory();
        RexNode constant = new QueryAnalyzer(new SessionAnalysisContext(context), factory).analyzeConstant(value);
        Expression expression =
                new RexTranslator(factory.rex()).translate(factory.rex().cast(constant, key.type()));
        Expression text = expression.type() == PrimitiveType.STRING
                ? expression
                : new Expression.Cast(expression, PrimitiveType.STRING);
        Evaluator evaluator =
                new ExpressionCompiler(context.session().userFunctions().registry()).compile(text);
        try {
            Vector result = evaluator.evaluate(ONE_ROW).flatten();
            if (!result.isNull(0) && !isFraction(value, key)) {
                return PartitionText.of(((BytesVector) result).string(0), key.type());
            }
        } finally {
            evaluator.close();
        }
        boolean named = value.is(HiveParser.StringLiteral)
                && SyntaxText.string(value).equals(PartitionPruner.DEFAULT_PARTITION);
        if (named) {
            return PartitionPruner.DEFAULT_PARTITION;
        }
        boolean isNull = constant.getType().getSqlTypeName() == SqlTypeName.NULL;
        String words = ErrorMsg.PARTITION_SPEC_TYPE_MISMATCH.format(
                key.name(), isNull ? "void" : "string", key.type().displayName());
        throw CompileErrors.plain(
                        value.position(),
                        StandardErrorCode.INVALID_PARTITION,
                        ErrorMsg.PARTITION_SPEC_TYPE_MISMATCH,
                        words)
                .withHint("the value is " + CompileErrors.shown(value.source()));
    }

    /** Whether a text is not a whole number, though the column has only these. */
    private static boolean isFraction(SyntaxNode value, FieldSchema key) {
        return value.is(HiveParser.StringLiteral)
                && WHOLE_NUMBERS.contains(key.type())
                && !WHOLE_NUMBER.matcher(SyntaxText.string(value)).matches();
    }
}
