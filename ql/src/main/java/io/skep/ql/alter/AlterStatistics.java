package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statistics.StatisticsProperties;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE STATISTICS FOR COLUMN name SET ('numDVs' = '...', ...), and UPDATE STATISTICS SET ('numRows' = '...') of a
 * table or partition. Sets statistics by hand. They are used for estimates and never for answers.
 */
final class AlterStatistics {
    private static final List<String> NAMES =
            List.of("numNulls", "numDVs", "lowValue", "highValue", "avgColLen", "maxColLen", "numTrues", "numFalses");

    private static final List<String> COUNTS = List.of("numRows", "rawDataSize");

    private AlterStatistics() {}

    static Runnable update(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        String name = SyntaxText.identifier(alteration.clause().child(0));
        FieldSchema column = table.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CompileErrors.plain(
                        alteration.clause().position(),
                        StandardErrorCode.COLUMN_NOT_FOUND,
                        ErrorMsg.GENERIC_ERROR,
                        "column type not found"));
        Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.putAll(SyntaxText.properties(alteration.clause().child(1)));
        for (String key : given.keySet()) {
            if (NAMES.stream().noneMatch(key::equalsIgnoreCase)) {
                throw CompileErrors.task(
                                alteration.clause().position(),
                                StandardErrorCode.INVALID_ARGUMENT,
                                ErrorMsg.GENERIC_ERROR,
                                "Unknown stat")
                        .withHint("'" + CompileErrors.shown(key) + "' is none of " + NAMES);
            }
        }
        ColumnStatistics statistics;
        try {
            statistics = statistics(column, given);
        } catch (NumberFormatException e) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    String.valueOf(e.getMessage()));
        }
        if (alteration.partition().isEmpty()) {
            return () -> {
                List<ColumnStatistics> before = context.catalog().tableStatistics(table, List.of(name));
                inTable(table, StatisticsProperties.uncertain(table.properties()), context);
                context.catalog().putTableStatistics(table, List.of(completed(statistics, before)));
                inTable(table, StatisticsProperties.uncertain(table.properties(), name), context);
            };
        }
        Partition altered =
                PartitionSpec.of(table, alteration.partition().get(), context).partition(context);
        String partition = PartitionName.of(table, altered.values());
        return () -> {
            List<ColumnStatistics> before = context.catalog()
                    .partitionStatistics(table, List.of(partition), List.of(name))
                    .getOrDefault(partition, List.of());
            inPartition(table, altered, StatisticsProperties.uncertain(altered.properties()), context);
            context.catalog().putPartitionStatistics(table, Map.of(partition, List.of(completed(statistics, before))));
            inPartition(table, altered, StatisticsProperties.uncertain(altered.properties(), name), context);
        };
    }

    /** Sets the number of rows and their size, which are estimates from then on. */
    static Runnable updateCounts(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        Map<String, String> given = SyntaxText.properties(alteration.clause().child(0));
        given.forEach((name, value) -> {
            String failure = COUNTS.contains(name)
                    ? value.matches("-?\\d{1,18}") ? "" : name + " failed with value " + value
                    : "UpdateStats " + name + " failed because the only valid keys are " + String.join(" and ", COUNTS);
            if (!failure.isEmpty()) {
                throw CompileErrors.plain(
                        alteration.clause().position(),
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.GENERIC_ERROR,
                        "AlterTable " + failure);
            }
        });
        if (alteration.partition().isEmpty()) {
            return () -> inTable(table, with(table.properties(), given), context);
        }
        Partition altered =
                PartitionSpec.of(table, alteration.partition().get(), context).partition(context);
        return () -> inPartition(table, altered, with(altered.properties(), given), context);
    }

    private static Map<String, String> with(Map<String, String> properties, Map<String, String> given) {
        Map<String, String> changed = new TreeMap<>(StatisticsProperties.uncertain(properties));
        changed.putAll(given);
        return changed;
    }

    /**
     * Updates the table's properties. Storing statistics marks them as exact. So all statistics of the table are marked
     * inexact first, until this column's mark is removed.
     */
    private static void inTable(Table table, Map<String, String> properties, StatementContext context) {
        TableStore.replace(table, Revision.properties(table, properties), false, context);
    }

    private static void inPartition(
            Table table, Partition partition, Map<String, String> properties, StatementContext context) {
        context.catalog().alterPartitions(table, List.of(Revision.properties(partition, properties)));
    }

    /** Returns the given statistics, completed with the former values where none is given. */
    private static ColumnStatistics completed(ColumnStatistics given, List<ColumnStatistics> before) {
        if (before.isEmpty()) {
            return given.nullCount() < 0 ? withoutNulls(given) : given;
        }
        ColumnStatistics known = before.getFirst();
        return new ColumnStatistics(
                given.column(),
                given(given.nullCount(), known.nullCount()),
                given(given.distinctValues(), known.distinctValues()),
                given.low().or(known::low),
                given.high().or(known::high),
                given.averageLength() < 0 ? known.averageLength() : given.averageLength(),
                given(given.maxLength(), known.maxLength()),
                given(given.trueCount(), known.trueCount()),
                given(given.falseCount(), known.falseCount()),
                known.sketch(),
                known.histogram());
    }

    /** Returns the statistics with zero nulls, as Hive does when the number of nulls is unknown. */
    private static ColumnStatistics withoutNulls(ColumnStatistics given) {
        return ColumnStatistics.of(given.column(), 0, given.distinctValues())
                .withBounds(given.low(), given.high())
                .withLengths(given.averageLength(), given.maxLength())
                .withBooleans(given.trueCount(), given.falseCount());
    }

    private static long given(long value, long known) {
        return value < 0 ? known : value;
    }

    private static ColumnStatistics statistics(FieldSchema column, Map<String, String> given) {
        return ColumnStatistics.of(column.name(), number(given.get("numNulls")), number(given.get("numDVs")))
                .withBounds(bound(given.get("lowValue"), column.type()), bound(given.get("highValue"), column.type()))
                .withLengths(Double.parseDouble(given.getOrDefault("avgColLen", "-1")), number(given.get("maxColLen")))
                .withBooleans(number(given.get("numTrues")), number(given.get("numFalses")));
    }

    private static long number(@Nullable String text) {
        return text == null ? -1 : Long.parseLong(text);
    }

    private static Optional<Datum> bound(@Nullable String text, SqlType type) {
        if (text == null) {
            return Optional.empty();
        }
        if (type == PrimitiveType.DOUBLE || type == PrimitiveType.FLOAT) {
            return Optional.of(new Datum.OfDouble(Double.parseDouble(text)));
        }
        if (type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT) {
            return Optional.of(new Datum.OfLong(Long.parseLong(text)));
        }
        try {
            if (type == PrimitiveType.DATE) {
                return Optional.of(new Datum.OfLong(
                        isNumber(text)
                                ? Long.parseLong(text)
                                : LocalDate.parse(text).toEpochDay()));
            }
            if (type == PrimitiveType.TIMESTAMP) {
                long seconds = isNumber(text) ? Long.parseLong(text) : seconds(text);
                return Optional.of(new Datum.OfTimestamp(seconds, 0));
            }
            if (type instanceof DecimalType decimal) {
                return Optional.of(decimal(text, decimal));
            }
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new NumberFormatException("For input string: \"" + text + "\"");
        }
        throw new SkepException(
                StandardErrorCode.NOT_SUPPORTED,
                "setting bounds of columns of type " + type.displayName() + " is not supported yet");
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d{1,18}");
    }

    private static long seconds(String text) {
        return LocalDateTime.parse(text.strip().replace(' ', 'T')).toEpochSecond(ZoneOffset.UTC);
    }

    private static Datum decimal(String text, DecimalType type) {
        BigInteger unscaled = new BigDecimal(text)
                .setScale(type.scale(), RoundingMode.HALF_UP)
                .unscaledValue();
        return type.isShort() ? new Datum.OfLong(unscaled.longValueExact()) : new Datum.OfDecimal(unscaled);
    }
}
