package io.skep.ql.show;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** ORDER BY of SHOW PARTITIONS. Sorts by partition columns: numbers by value, the default partition last. */
final class PartitionOrder {
    private PartitionOrder() {}

    /** @param clause TOK_ORDERBY of partition columns, each with its direction */
    static Comparator<String> of(Table table, SyntaxNode clause) {
        Comparator<List<String>> order = (_, _) -> 0;
        for (SyntaxNode direction : clause.children()) {
            Comparator<List<String>> key = key(table, column(direction));
            order = order.thenComparing(direction.is(HiveParser.TOK_TABSORTCOLNAMEDESC) ? key.reversed() : key);
        }
        return Comparator.comparing(PartitionName::values, order);
    }

    private static SyntaxNode column(SyntaxNode direction) {
        SyntaxNode node = direction;
        while (!node.is(HiveParser.TOK_TABLE_OR_COL) && node.childCount() > 0) {
            node = node.child(0);
        }
        return node;
    }

    private static Comparator<List<String>> key(Table table, SyntaxNode column) {
        List<String> names =
                table.partitionKeys().stream().map(FieldSchema::name).toList();
        int index = column.is(HiveParser.TOK_TABLE_OR_COL) ? names.indexOf(SyntaxText.identifier(column.child(0))) : -1;
        if (index < 0) {
            throw CompileErrors.plain(
                            column.position(),
                            StandardErrorCode.INVALID_PARTITION,
                            ErrorMsg.GENERIC_ERROR,
                            "Only partition keys are allowed for sorting partition names, input: " + column.source())
                    .withHint("partition columns are " + String.join(", ", names));
        }
        SqlType type = table.partitionKeys().get(index).type();
        return (left, right) -> compare(left.get(index), right.get(index), type);
    }

    private static int compare(String left, String right, SqlType type) {
        boolean noLeft = left.equals(PartitionName.DEFAULT_PARTITION);
        boolean noRight = right.equals(PartitionName.DEFAULT_PARTITION);
        if (noLeft || noRight) {
            return Boolean.compare(noLeft, noRight);
        }
        return isNumber(type) ? new BigDecimal(left).compareTo(new BigDecimal(right)) : left.compareTo(right);
    }

    private static boolean isNumber(SqlType type) {
        return type instanceof DecimalType
                || type instanceof PrimitiveType primitive
                        && switch (primitive) {
                            case TINYINT, SMALLINT, INT, BIGINT -> true;
                            default -> false;
                        };
    }
}
