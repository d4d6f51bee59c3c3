package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * PARTITION (k > v, ...) of DROP PARTITION. Values are compared by the type of the partition column, and all
 * comparisons must hold. The value of the default partition is null, which no comparison with another value fits; of a
 * text column it is the partition's name, as in Hive.
 */
public final class PartitionCondition implements Predicate<List<String>> {
    private static final Set<SqlType> NUMBERS = Set.of(
            PrimitiveType.TINYINT,
            PrimitiveType.SMALLINT,
            PrimitiveType.INT,
            PrimitiveType.BIGINT,
            PrimitiveType.FLOAT,
            PrimitiveType.DOUBLE);

    private record Comparison(int key, SqlType type, String operator, String value) {}

    private final List<Comparison> comparisons = new ArrayList<>();

    /** @param spec TOK_PARTSPEC of TOK_PARTVAL name operator value */
    public PartitionCondition(Table table, SyntaxNode spec, StatementContext context) {
        for (SyntaxNode part : spec.children()) {
            FieldSchema key = PartitionSpec.key(
                    table,
                    part.child(0),
                    ErrorMsg.GENERIC_ERROR,
                    "Column " + SyntaxText.identifier(part.child(0)) + " is not a partition key");
            if (part.childCount() < 3) {
                throw new SkepException(
                                StandardErrorCode.INVALID_PARTITION,
                                "partition column '" + key.name() + "' has no value")
                        .at(part.position());
            }
            String value = PartitionValues.of(part.child(2), key, context);
            comparisons.add(new Comparison(
                    table.partitionKeys().indexOf(key),
                    key.type(),
                    part.child(1).text(),
                    value));
        }
    }

    @Override
    public boolean test(List<String> values) {
        return comparisons.stream().allMatch(comparison -> holds(comparison, values.get(comparison.key())));
    }

    private static boolean holds(Comparison comparison, String value) {
        if (isText(comparison.type())) {
            return holds(comparison, compare(value, comparison.value(), comparison.type()));
        }
        boolean isDefault = value.equals(PartitionName.DEFAULT_PARTITION);
        if (comparison.value().equals(PartitionName.DEFAULT_PARTITION)) {
            return isDefault
                    ? holds(comparison, 0)
                    : comparison.operator().equals("!=")
                            || comparison.operator().equals("<>");
        }
        return !isDefault && holds(comparison, compare(value, comparison.value(), comparison.type()));
    }

    /** @param order of the partition's value and the comparison's */
    private static boolean holds(Comparison comparison, int order) {
        return switch (comparison.operator()) {
            case "=", "==" -> order == 0;
            case "!=", "<>" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            default ->
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "DROP PARTITION with '" + comparison.operator() + "' is not supported yet");
        };
    }

    private static boolean isText(SqlType type) {
        return type == PrimitiveType.STRING || type instanceof CharType || type instanceof VarcharType;
    }

    private static int compare(String left, String right, SqlType type) {
        if (NUMBERS.contains(type) || type instanceof DecimalType) {
            try {
                return new BigDecimal(left).compareTo(new BigDecimal(right));
            } catch (NumberFormatException e) {
                return left.compareTo(right);
            }
        }
        return type instanceof CharType ? left.stripTrailing().compareTo(right.stripTrailing()) : left.compareTo(right);
    }
}
