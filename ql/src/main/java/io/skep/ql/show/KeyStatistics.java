package io.skep.ql.show;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * Derives statistics of a partition column from the values of the partitions, as Hive's DESCRIBE does. Text counts as
 * 100 characters.
 */
final class KeyStatistics {
    private static final int TEXT_LENGTH = 100;

    private final FieldSchema key;
    private final int position;

    KeyStatistics(Table table, FieldSchema key) {
        this.key = key;
        this.position = table.partitionKeys().indexOf(key);
    }

    ColumnStatistics of(List<Partition> partitions) {
        List<String> values = partitions.stream()
                .map(partition -> partition.values().get(position))
                .distinct()
                .toList();
        List<BigInteger> numbers = values.stream()
                .filter(value -> !value.equals(PartitionName.DEFAULT_PARTITION))
                .flatMap(value -> number(value).stream())
                .sorted()
                .toList();
        boolean text = StatisticsText.hasLength(key.type());
        ColumnStatistics counts = ColumnStatistics.of(key.name(), 0, values.size());
        ColumnStatistics bounded =
                numbers.isEmpty() ? counts : counts.withBounds(datum(numbers.getFirst()), datum(numbers.getLast()));
        return text ? bounded.withLengths(TEXT_LENGTH, TEXT_LENGTH) : bounded;
    }

    /** Returns the unscaled value of integers and decimals; other types have no bounds. */
    private Optional<BigInteger> number(String value) {
        SqlType type = key.type();
        try {
            if (type instanceof DecimalType decimal) {
                return Optional.of(new BigDecimal(value.strip())
                        .setScale(decimal.scale(), RoundingMode.HALF_UP)
                        .unscaledValue());
            }
            boolean integer = type == PrimitiveType.TINYINT
                    || type == PrimitiveType.SMALLINT
                    || type == PrimitiveType.INT
                    || type == PrimitiveType.BIGINT;
            return integer ? Optional.of(new BigInteger(value.strip())) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private Datum datum(BigInteger number) {
        return key.type() instanceof DecimalType decimal && !decimal.isShort()
                ? new Datum.OfDecimal(number)
                : new Datum.OfLong(number.longValue());
    }
}
