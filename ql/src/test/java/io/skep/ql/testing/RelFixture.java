package io.skep.ql.testing;

import io.skep.common.vector.Datum;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.HiveFunctionCatalog;
import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.StrictChecks;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.optimize.MaterializedViewScan;
import io.skep.ql.optimize.TableStatistics;
import io.skep.ql.physical.MetadataOnlyAggregates;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.query.QueryCompiler.Choices;
import io.skep.ql.rel.RelFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;

/**
 * Plans queries over tables that exist only in memory: SQL in, algebra and plans out. There is no database and there
 * are no files. A plan takes milliseconds.
 */
public final class RelFixture {
    /** All optimizations that a session may switch off. */
    public static final Choices ALL = new Choices(true, true, true, true);

    public static final Choices NONE = new Choices(false, false, false, false);

    private static final FunctionRegistry FUNCTIONS = FunctionRegistry.builtIn(Map.of());

    private final AnalysisFixture session = new AnalysisFixture();
    private final MemoryCatalog tables = new MemoryCatalog(session);
    private final Catalog catalog = tables.catalog();
    private final AlgebraMetadata metadata = new AlgebraMetadata(new TableStatistics(catalog));
    private Choices choices = ALL;
    private PlanningLimits limits = PlanningLimits.DEFAULT;
    private Optional<MetadataOnlyAggregates.Source> statistics = Optional.empty();
    private final Map<String, String> views = new LinkedHashMap<>();

    /** Adds a table without statistics. The columns are in the form {@code a int, b string}. */
    public RelFixture table(String name, String columns) {
        session.table("default", name, columns);
        return this;
    }

    public RelFixture table(String name, String columns, long rows) {
        return table(name, columns).properties(name, Map.of("numRows", Long.toString(rows)));
    }

    /** Adds a partitioned table. */
    public RelFixture partitioned(String name, String columns, String keys) {
        session.partitioned("default", name, columns, keys);
        return this;
    }

    /** Adds a partition with a number of rows. The values are in the order of the keys. */
    public RelFixture partition(String table, long rows, String... values) {
        Table owner = table(table);
        tables.put(
                owner, new Partition(List.of(values), 0, 0, owner.storage(), Map.of("numRows", Long.toString(rows))));
        return this;
    }

    /** Adds a materialized view of a query, which may answer others. */
    public RelFixture materializedView(String name, String query, long rows) {
        AnalyzedQuery analyzed = session.analyze(query);
        StringBuilder columns = new StringBuilder();
        for (int i = 0; i < analyzed.names().size(); i++) {
            columns.append(i == 0 ? "" : ", ")
                    .append(analyzed.names().get(i))
                    .append(' ')
                    .append(analyzed.types().get(i));
        }
        views.put(name, query);
        return table(name, columns.toString(), rows);
    }

    private List<MaterializedViewScan> views(RelFactory factory) {
        return views.entrySet().stream()
                .map(view -> MaterializedViewScan.of(
                        table(view.getKey()),
                        session.analyze(view.getValue(), factory).rel(),
                        factory))
                .toList();
    }

    /** Replaces the properties of a table. */
    public RelFixture properties(String name, Map<String, String> properties) {
        tables.put(table(name).withProperties(properties));
        return this;
    }

    /** Sets the statistics of a column that has no nulls and whose bounds are unknown. */
    public RelFixture distinct(String table, String column, long values) {
        return statistics(table, column(column, values, 0, Optional.empty(), Optional.empty()));
    }

    /** Sets the statistics of a column of integers. */
    public RelFixture range(String table, String column, long values, long nulls, long low, long high) {
        return statistics(
                table,
                column(column, values, nulls, Optional.of(new Datum.OfLong(low)), Optional.of(new Datum.OfLong(high))));
    }

    public RelFixture statistics(String table, ColumnStatistics column) {
        tables.put(table, column);
        return this;
    }

    private static ColumnStatistics column(
            String name, long values, long nulls, Optional<Datum> low, Optional<Datum> high) {
        return ColumnStatistics.of(name, nulls, values).withBounds(low, high);
    }

    /** Sets the optimizations that may be used. By default it is all of them. */
    public RelFixture choices(Choices allowed) {
        choices = allowed;
        return this;
    }

    public RelFixture limits(PlanningLimits sizes) {
        limits = sizes;
        return this;
    }

    /** Lets exact statistics answer queries. */
    public RelFixture answers(MetadataOnlyAggregates.Source source) {
        statistics = Optional.of(source);
        return this;
    }

    public Table table(String name) {
        return session.table("default", name).orElseThrow();
    }

    public Catalog catalog() {
        return catalog;
    }

    public AlgebraMetadata metadata() {
        return metadata;
    }

    /** Returns the algebra of a query as it is written. */
    public RelNode analyzed(String sql) {
        return session.analyze(sql).rel();
    }

    /** Returns the algebra after some rules alone, each applied wherever it matches. */
    public RelNode after(List<RelOptRule> rules, RelNode root) {
        HepPlanner planner =
                new HepPlanner(HepProgram.builder().addRuleCollection(rules).build());
        planner.setRoot(root);
        return planner.findBestExp();
    }

    /** Returns the algebra after the whole optimizer. */
    public RelNode optimized(String sql) {
        return compiled(sql).algebra();
    }

    public PhysicalPlan planned(String sql) {
        return compiled(sql).plan();
    }

    private QueryCompiler.Compiled compiled(String sql) {
        RelFactory factory = new RelFactory();
        AnalyzedQuery query = session.analyze(sql, factory);
        return new QueryCompiler(
                        metadata,
                        HiveFunctionCatalog.builtIn(Map.of()),
                        FUNCTIONS,
                        List.of(),
                        limits,
                        choices,
                        statistics,
                        StrictChecks.DEFAULT)
                .query(query.rel(), query.names(), views(factory));
    }

    /** Evaluates expressions with the built-in functions. */
    public static ExpressionCompiler expressions() {
        return new ExpressionCompiler(FUNCTIONS);
    }

    /** Returns algebra as text, one operator per line. */
    public static String text(RelNode algebra) {
        return RelOptUtil.toString(algebra).strip();
    }
}
