package io.skep.ql.physical;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TypeMapping;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** The answer to an aggregate call from statistics. Its value is empty if the statistics do not have it exactly. */
sealed interface CountedAnswer {
    Optional<Datum> value(List<CountedPlace> places);

    /** @param argument the argument over the table's columns; empty if all rows count */
    static Optional<CountedAnswer> of(AggregateCall call, Optional<RexNode> argument, Table table) {
        SqlKind kind = call.getAggregation().getKind();
        boolean count = kind == SqlKind.COUNT && !call.isDistinct();
        boolean extreme = kind == SqlKind.MIN || kind == SqlKind.MAX;
        if (call.filterArg >= 0 || call.getArgList().size() > 1 || !count && !extreme) {
            return Optional.empty();
        }
        if (argument.isEmpty()) {
            return count ? Optional.of(new Rows()) : Optional.empty();
        }
        List<FieldSchema> columns = SkepTable.storedColumns(table);
        if (!(argument.get() instanceof RexInputRef ref) || ref.getIndex() >= columns.size()) {
            return Optional.empty();
        }
        FieldSchema column = columns.get(ref.getIndex());
        int key = ref.getIndex() - table.columns().size();
        if (count) {
            return Optional.of(key < 0 ? new Values(column.name()) : new KeyValues(key));
        }
        boolean sameType = TypeMapping.toSql(call.getType()).equals(column.type());
        boolean greatest = kind == SqlKind.MAX;
        if (!sameType || !(isExact(column.type()) || key >= 0 && column.type() == PrimitiveType.STRING)) {
            return Optional.empty();
        }
        return Optional.of(key < 0 ? new Extreme(column.name(), greatest) : new KeyExtreme(key, greatest));
    }

    /**
     * Whether the bounds that the metastore keeps for a type are actual values. They are not if they only cover finite
     * numbers, or are in seconds.
     */
    private static boolean isExact(SqlType type) {
        return type instanceof DecimalType
                || type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT
                || type == PrimitiveType.DATE;
    }

    /** Counts all rows. */
    record Rows() implements CountedAnswer {
        @Override
        public Optional<Datum> value(List<CountedPlace> places) {
            return Optional.of(new Datum.OfLong(
                    places.stream().mapToLong(CountedPlace::rows).sum()));
        }
    }

    /** Counts the rows where a column is not null. */
    record Values(String column) implements CountedAnswer {
        @Override
        public Optional<Datum> value(List<CountedPlace> places) {
            long values = 0;
            for (CountedPlace place : places) {
                Optional<ColumnStatistics> known = place.exact(column);
                if (known.isEmpty() && place.rows() > 0) {
                    return Optional.empty();
                }
                values += place.rows() - known.map(ColumnStatistics::nullCount).orElse(0L);
            }
            return Optional.of(new Datum.OfLong(values));
        }
    }

    /** Counts the rows where a partition column is not null. */
    record KeyValues(int key) implements CountedAnswer {
        @Override
        public Optional<Datum> value(List<CountedPlace> places) {
            return Optional.of(new Datum.OfLong(places.stream()
                    .filter(place -> !place.keys().get(key).isNull())
                    .mapToLong(CountedPlace::rows)
                    .sum()));
        }
    }

    /** Returns the least or greatest value of a column. */
    record Extreme(String column, boolean greatest) implements CountedAnswer {
        @Override
        public Optional<Datum> value(List<CountedPlace> places) {
            Datum extreme = Datum.NULL;
            for (CountedPlace place : places) {
                Optional<ColumnStatistics> known = place.exact(column);
                // Hive keeps the bounds of earlier rows even if all current rows are null.
                long values =
                        place.rows() - known.map(ColumnStatistics::nullCount).orElse(0L);
                Optional<Datum> bound = known.flatMap(column -> greatest ? column.high() : column.low());
                if (values > 0 && bound.isEmpty()) {
                    return Optional.empty();
                }
                extreme = values > 0 ? further(extreme, bound.orElse(Datum.NULL), greatest) : extreme;
            }
            return Optional.of(extreme);
        }
    }

    /** Returns the least or greatest value of a partition column, among partitions that have rows. */
    record KeyExtreme(int key, boolean greatest) implements CountedAnswer {
        @Override
        public Optional<Datum> value(List<CountedPlace> places) {
            Datum extreme = Datum.NULL;
            for (CountedPlace place : places) {
                extreme = place.rows() > 0 ? further(extreme, place.keys().get(key), greatest) : extreme;
            }
            return Optional.of(extreme);
        }
    }

    private static Datum further(Datum one, Datum other, boolean greatest) {
        if (one.isNull() || other.isNull()) {
            return one.isNull() ? other : one;
        }
        return compare(one, other) < 0 == greatest ? other : one;
    }

    private static int compare(Datum one, Datum other) {
        return switch (one) {
            case Datum.OfLong value -> Long.compare(value.value(), ((Datum.OfLong) other).value());
            case Datum.OfDecimal value -> value.unscaled().compareTo(((Datum.OfDecimal) other).unscaled());
            case Datum.OfBytes value -> Arrays.compareUnsigned(value.value(), ((Datum.OfBytes) other).value());
            default -> throw new IllegalArgumentException("not a bound: " + one);
        };
    }
}
