package io.skep.spark;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Collects what Spark leaves to the server, and makes one query of it. */
final class SkepScanBuilder
        implements SupportsPushDownV2Filters,
                SupportsPushDownRequiredColumns,
                SupportsPushDownAggregates,
                SupportsPushDownLimit {
    /** The server runs a query with a limit and sends its rows over one connection; daemons send more rows faster. */
    private static final int MAX_LIMIT = 10_000;

    private final SkepOptions options;
    private final Source source;
    private final ZoneId zone;
    private final PredicateSql predicates;
    private final List<Predicate> pushed = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private StructType columns;
    private Optional<AggregateSql> aggregates = Optional.empty();
    private OptionalInt limit = OptionalInt.empty();

    /**
     * @param columns of the source, with Hive's types
     * @param zone of Spark's session
     */
    SkepScanBuilder(SkepOptions options, Source source, StructType columns, ZoneId zone) {
        this.options = options;
        this.source = source;
        this.columns = columns;
        this.zone = zone;
        Optional<ZoneOffset> offset = zone.getRules().isFixedOffset()
                ? Optional.of(zone.getRules().getOffset(Instant.EPOCH))
                : Optional.empty();
        this.predicates = new PredicateSql(columns, offset);
    }

    @Override
    public Predicate[] pushPredicates(Predicate[] all) {
        List<Predicate> rest = new ArrayList<>();
        for (Predicate predicate : all) {
            Optional<String> text = predicates.of(predicate);
            if (text.isPresent()) {
                pushed.add(predicate);
                texts.add(text.get());
            } else {
                rest.add(predicate);
            }
        }
        return rest.toArray(new Predicate[0]);
    }

    @Override
    public Predicate[] pushedPredicates() {
        return pushed.toArray(new Predicate[0]);
    }

    @Override
    public void pruneColumns(StructType required) {
        List<String> names = Arrays.asList(required.fieldNames());
        columns = new StructType(Arrays.stream(columns.fields())
                .filter(column -> names.contains(column.name()))
                .toArray(StructField[]::new));
    }

    /** One query has the result: no part of it is left to Spark. */
    @Override
    public boolean supportCompletePushDown(Aggregation aggregation) {
        return AggregateSql.of(aggregation, predicates).isPresent();
    }

    @Override
    public boolean pushAggregation(Aggregation aggregation) {
        aggregates = AggregateSql.of(aggregation, predicates);
        return aggregates.isPresent();
    }

    @Override
    public boolean pushLimit(int count) {
        if (count > MAX_LIMIT) {
            return false;
        }
        limit = OptionalInt.of(count);
        return true;
    }

    @Override
    public Scan build() {
        SelectQuery query = new SelectQuery(
                source,
                aggregates
                        .map(AggregateSql::outputs)
                        .orElseGet(() -> Arrays.stream(columns.fieldNames())
                                .map(SqlText::name)
                                .toList()),
                texts,
                aggregates.map(AggregateSql::groups).orElse(List.of()),
                limit);
        return new SkepScan(
                options, query.sql(), aggregates.map(AggregateSql::schema).orElse(columns), zone);
    }
}
