package io.skep.ql.physical;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.MappedColumns;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * Derives from the conditions of a scan what they demand of the skewed columns alone. Where the conditions are true, so
 * is the result. If it is not true for a value of these columns, then no row with this value is needed.
 */
final class SkewCondition {
    /**
     * Types whose values are exactly those of their texts, by which folders are named. Old dates are not, since files
     * have them in two calendars.
     */
    private static final Set<PrimitiveType> EXACT = EnumSet.of(
            PrimitiveType.BOOLEAN,
            PrimitiveType.TINYINT,
            PrimitiveType.SMALLINT,
            PrimitiveType.INT,
            PrimitiveType.BIGINT,
            PrimitiveType.STRING);

    /** The positions among the skewed columns, by the position among the table's columns. */
    private final Map<Integer, Integer> positions = new HashMap<>();

    private SkewCondition(Table table) {
        Skew skew = table.storage().skew();
        for (int i = 0; i < table.columns().size(); i++) {
            FieldSchema column = table.columns().get(i);
            int position = skew.columns().indexOf(column.name());
            if (position >= 0 && isExact(column.type())) {
                positions.put(i, position);
            }
        }
    }

    private static boolean isExact(SqlType type) {
        return type instanceof CharType
                || type instanceof VarcharType
                || type instanceof DecimalType
                || type instanceof PrimitiveType primitive && EXACT.contains(primitive);
    }

    /**
     * Returns the condition over the skewed columns, by their position; empty if there is none, or the table has no
     * list buckets.
     *
     * @param conditions deterministic ones, over the table's columns
     */
    static Optional<Expression> of(List<Expression> conditions, Table table) {
        if (!table.storage().skew().isListBucketed()) {
            return Optional.empty();
        }
        return new SkewCondition(table).all(conditions);
    }

    private Optional<Expression> all(List<Expression> conditions) {
        List<Expression> demanded = new ArrayList<>();
        conditions.forEach(condition -> demanded(condition).ifPresent(demanded::add));
        return Expressions.and(demanded);
    }

    private Optional<Expression> demanded(Expression condition) {
        return switch (condition) {
            case Expression.And and -> all(and.operands());
            case Expression.Or or -> {
                List<Expression> operands = new ArrayList<>();
                or.operands().forEach(operand -> demanded(operand).ifPresent(operands::add));
                yield operands.size() == or.operands().size()
                        ? Optional.of(new Expression.Or(operands))
                        : Optional.empty();
            }
            default -> leaf(condition);
        };
    }

    private Optional<Expression> leaf(Expression condition) {
        SortedSet<Integer> columns = Expressions.columns(condition);
        if (columns.isEmpty() || !positions.keySet().containsAll(columns)) {
            return Optional.empty();
        }
        return Optional.of(MappedColumns.in(
                condition,
                column -> new Expression.InputColumn(positions.getOrDefault(column.index(), 0), column.type())));
    }
}
