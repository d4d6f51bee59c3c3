package io.skep.metastore.hive;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import java.math.BigInteger;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.apache.hadoop.hive.metastore.api.Decimal;
import org.apache.hadoop.hive.metastore.api.DecimalColumnStatsData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that statistics are stored as Hive itself stores them. */
final class TestStatisticsConversion {
    /** Hive compares the bounds of partitions by scale first, so all bounds must have one form. */
    @ParameterizedTest
    @CsvSource({"1050, 105, 1", "100, 1, 0", "2025, 2025, 2", "0, 0, 0", "-70000, -700, 0", "-5, -5, 2"})
    void boundsOfDecimalsHaveNoZerosAtTheEnd(long unscaled, long storedUnscaled, short storedScale) {
        DecimalType type = new DecimalType(10, 2);
        ColumnStatistics statistics =
                ColumnStatistics.of("amt", 0, 1).withBounds(new Datum.OfLong(unscaled), new Datum.OfLong(unscaled));
        ColumnStatisticsObj object = StatisticsConversion.toThrift(statistics, type);
        DecimalColumnStatsData stored = requireNonNull(object.getStatsData()).getDecimalStats();
        for (Decimal bound : new Decimal[] {stored.getLowValue(), stored.getHighValue()}) {
            assertThat(bound.getScale()).isEqualTo(storedScale);
            assertThat(new BigInteger(bound.getUnscaled())).isEqualTo(storedUnscaled);
        }
        assertThat(StatisticsConversion.fromThrift(object, type).low()).contains(new Datum.OfLong(unscaled));
    }
}
