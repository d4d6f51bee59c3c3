package io.skep.ql.reuse;

import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.rel.HiveRexBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rex.RexNode;

/** Records what an analysis depends on. Owned by one thread. */
public final class DependencyTrackingContext implements AnalysisContext {
    private final AnalysisContext context;
    private final Catalog catalog;
    private final List<Dependency> dependencies = new ArrayList<>();
    private final Set<Integer> looked = new HashSet<>();
    private final List<ColumnRead> reads = new ArrayList<>();
    private boolean personal;

    public DependencyTrackingContext(AnalysisContext context, Catalog catalog) {
        this.context = context;
        this.catalog = catalog;
    }

    /** A table or view that was looked up, whether or not it exists, and its version. */
    record Dependency(String database, String table, long version) {
        boolean isUnchanged(Catalog catalog) {
            return catalog.version(database, table) == version;
        }
    }

    List<Dependency> dependencies() {
        return List.copyOf(dependencies);
    }

    /** Returns the columns that the text reads, which must be allowed again for each use of the result. */
    List<ColumnRead> reads() {
        return List.copyOf(reads);
    }

    @Override
    public boolean wantsReads() {
        return context.wantsReads();
    }

    @Override
    public void recordReads(List<ColumnRead> found) {
        reads.addAll(found);
    }

    /** Whether the result depends on the user or on the time. */
    boolean dependsOnUserOrTime() {
        return personal;
    }

    /** Returns the parameters whose values the result depends on. */
    Set<Integer> parametersWithValueUse() {
        return Set.copyOf(looked);
    }

    @Override
    public void recordValueUse(int parameter) {
        looked.add(parameter);
    }

    @Override
    public FunctionCatalog functions() {
        return context.functions();
    }

    @Override
    public String currentDatabase() {
        return context.currentDatabase();
    }

    @Override
    public Map<String, String> settings() {
        return context.settings();
    }

    @Override
    public String user() {
        personal = true;
        return context.user();
    }

    @Override
    public Instant queryStart() {
        personal = true;
        return context.queryStart();
    }

    @Override
    public ZoneId timeZone() {
        return context.timeZone();
    }

    @Override
    public Optional<Table> table(String database, String name) {
        dependencies.add(new Dependency(database, name, catalog.version(database, name)));
        return context.table(database, name);
    }

    @Override
    public List<String> tableNames(String database) {
        return context.tableNames(database);
    }

    @Override
    public boolean databaseExists(String database) {
        return context.databaseExists(database);
    }

    @Override
    public Optional<Macro> macro(String name) {
        return context.macro(name);
    }

    @Override
    public Optional<Datum> evaluate(RexNode constant, HiveRexBuilder rexBuilder) {
        return context.evaluate(constant, rexBuilder);
    }
}
