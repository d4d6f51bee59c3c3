package io.skep.ql.statistics;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.ColumnStatisticsMerge;
import io.skep.metastore.FieldSchema;
import io.skep.ql.statement.StatementContext;
import io.skep.storage.statistics.ColumnSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Column statistics of the rows written to a table or a partition.
 *
 * @param columns statistics by column; empty when none were gathered
 */
public record GatheredStatistics(List<ColumnStatistics> columns) {
    public static final Property<Boolean> HISTOGRAMS = new Property<>(
            "hive.stats.kll.enable",
            PropertyType.flag(),
            "true",
            "Whether column statistics contain a histogram of the values, as a KLL sketch in Hive's form.");

    public static final GatheredStatistics NONE = new GatheredStatistics(List.of());

    public GatheredStatistics {
        columns = List.copyOf(columns);
    }

    /** @param summaries summaries in the order of the columns */
    public static GatheredStatistics of(
            List<FieldSchema> columns, List<ColumnSummary> summaries, StatementContext context) {
        boolean histograms = context.settings().getBoolean(HISTOGRAMS.name());
        List<ColumnStatistics> statistics = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            ColumnStatistics one = new ColumnCount(columns.get(i)).statistics(summaries.get(i));
            statistics.add(histograms ? one : one.withHistogram(Optional.empty()));
        }
        return new GatheredStatistics(statistics);
    }

    /** Returns the statistics of no rows. */
    public static GatheredStatistics empty(List<FieldSchema> columns) {
        return new GatheredStatistics(
                columns.stream().map(column -> new ColumnCount(column).empty()).toList());
    }

    /**
     * Merges these statistics with the former ones. Columns whose former statistics are missing or did not cover all
     * rows are left out.
     *
     * @param exact columns whose former statistics covered all rows
     */
    GatheredStatistics added(List<ColumnStatistics> before, Set<String> exact) {
        Map<String, ColumnStatistics> known = new HashMap<>();
        before.forEach(one -> known.put(one.column(), one));
        return new GatheredStatistics(columns.stream()
                .filter(one -> exact.contains(one.column()) && known.containsKey(one.column()))
                .map(one -> ColumnStatisticsMerge.merge(List.of(known.getOrDefault(one.column(), one), one)))
                .toList());
    }

    List<String> names() {
        return columns.stream().map(ColumnStatistics::column).toList();
    }
}
