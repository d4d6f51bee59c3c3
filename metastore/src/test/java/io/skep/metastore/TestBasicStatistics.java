package io.skep.metastore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.junit.jupiter.api.Test;

/** Tests that Hive's own class reads and writes the same statistics. */
final class TestBasicStatistics {
    @Test
    void figuresComeBack() {
        BasicStatistics statistics =
                BasicStatistics.EMPTY.analyzed(10, 200, 2, 300).withExactColumns(List.of("b", "a \"q\\"));
        Map<String, String> properties = statistics.mergeInto(Map.of("other", "kept", "numRows", "7"));
        assertThat(properties)
                .containsEntry("numRows", "10")
                .containsEntry("rawDataSize", "200")
                .containsEntry("numFiles", "2")
                .containsEntry("totalSize", "300")
                .containsEntry("other", "kept");
        assertThat(BasicStatistics.of(properties)).isEqualTo(statistics);
    }

    @Test
    void hiveReadsWhatIsWritten() {
        Map<String, String> properties =
                BasicStatistics.EMPTY.withExactColumns(List.of("key", "value")).mergeInto(Map.of());
        assertThat(StatsSetupConst.areBasicStatsUptoDate(properties)).isTrue();
        assertThat(StatsSetupConst.getColumnsHavingStats(properties)).containsExactly("key", "value");
        Map<String, String> basic = BasicStatistics.EMPTY.mergeInto(Map.of());
        assertThat(StatsSetupConst.areColumnStatsUptoDate(basic, "key")).isFalse();
    }

    @Test
    void textIsHives() {
        Map<String, String> hive = new HashMap<>();
        StatsSetupConst.setStatsStateForCreateTable(hive, List.of("key", "value"), StatsSetupConst.TRUE);
        Map<String, String> ours =
                BasicStatistics.EMPTY.withExactColumns(List.of("value", "key")).mergeInto(Map.of());
        assertThat(ours.get("COLUMN_STATS_ACCURATE")).isEqualTo(hive.get("COLUMN_STATS_ACCURATE"));
        BasicStatistics read = BasicStatistics.of(hive);
        assertThat(read.exact()).isTrue();
        assertThat(read.exactColumns()).containsExactlyInAnyOrder("key", "value");
        StatsSetupConst.setBasicStatsState(hive, StatsSetupConst.FALSE);
        assertThat(BasicStatistics.of(hive).exact()).isFalse();
    }

    @Test
    void appendKeepsWhatWasKnown() {
        BasicStatistics known = BasicStatistics.EMPTY
                .appended(5, 50, 1, 500)
                .withExactColumns(Set.of("a"))
                .appended(3, 30, 2, 800);
        assertThat(known).isEqualTo(BasicStatistics.EMPTY.analyzed(8, 80, 2, 800));
        BasicStatistics unknown = known.filesChanged(3, 900).appended(3, 30, 4, 1000);
        assertThat(unknown.rows()).isEmpty();
        assertThat(unknown.exact()).isFalse();
        assertThat(unknown.bytes()).isEqualTo(OptionalLong.of(1000));
        assertThat(unknown.filesChanged(0, 0).appended(3, 30, 1, 10))
                .isEqualTo(BasicStatistics.EMPTY.analyzed(3, 30, 1, 10));
    }

    @Test
    void whatIsNoFigureIsNotKnown() {
        assertThat(BasicStatistics.of(Map.of("numRows", "-1", "totalSize", "many", "COLUMN_STATS_ACCURATE", "{}")))
                .isEqualTo(BasicStatistics.UNKNOWN);
        assertThat(BasicStatistics.UNKNOWN.mergeInto(Map.of("numRows", "5", "k", "v")))
                .containsExactly(Map.entry("k", "v"));
    }

    @Test
    void flagsThatCannotBeReadAreAsInHive() {
        for (String text : List.of(
                "true",
                "TRUE",
                "{\"BASIC_STATS\":\"true\"",
                "{\"BASIC_STATS\":\"true\"}",
                "{\"BASIC_STATS\":true}",
                "{\"BASIC_STATS\":\"false\",\"COLUMN_STATS\":{\"a\":\"true\"}}",
                "{\"COLUMN_STATS\":{\"BASIC_STATS\":\"true\"}}",
                "no JSON",
                "")) {
            Map<String, String> properties = Map.of(StatsSetupConst.COLUMN_STATS_ACCURATE, text);
            assertThat(BasicStatistics.of(properties).exact())
                    .as(text)
                    .isEqualTo(StatsSetupConst.areBasicStatsUptoDate(properties));
            for (String column : List.of("a", "b", "BASIC_STATS")) {
                assertThat(BasicStatistics.of(properties).exactColumns().contains(column))
                        .as("%s in %s", column, text)
                        .isEqualTo(StatsSetupConst.areColumnStatsUptoDate(properties, column));
            }
        }
    }
}
