package io.skep.ql.reuse;

import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.plan.ScriptFile;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.rel.HiveRexBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final Found found;

    public DependencyTrackingContext(AnalysisContext context, Catalog catalog) {
        this(context, catalog, new Found());
    }

    private DependencyTrackingContext(AnalysisContext context, Catalog catalog, Found found) {
        this.context = context;
        this.catalog = catalog;
        this.found = found;
    }

    /** What is recorded, for the query's own text and for those of policies. */
    private static final class Found {
        private final List<Dependency> dependencies = new ArrayList<>();
        private final Set<Integer> looked = new HashSet<>();
        private final List<ColumnRead> reads = new ArrayList<>();
        private final Map<UserFact, String> facts = new HashMap<>();
        private boolean timed;
    }

    /** A table or view that was looked up, whether or not it exists, and its version. */
    record Dependency(String database, String table, long version) {
        boolean isUnchanged(Catalog catalog) {
            return catalog.version(database, table) == version;
        }
    }

    List<Dependency> dependencies() {
        return List.copyOf(found.dependencies);
    }

    /** Returns the columns that the text reads, which must be allowed again for each use of the result. */
    List<ColumnRead> reads() {
        return List.copyOf(found.reads);
    }

    @Override
    public boolean wantsReads() {
        return context.wantsReads();
    }

    @Override
    public void recordReads(List<ColumnRead> columns) {
        found.reads.addAll(columns);
    }

    /** Whether the result depends on the time. */
    boolean dependsOnTime() {
        return found.timed;
    }

    /** Whether the result depends on the time or on the user, apart from the user's policies. */
    public boolean dependsOnSession() {
        return found.timed || found.facts.keySet().stream().anyMatch(fact -> !(fact instanceof UserFact.Policies));
    }

    /** Returns what the result depends on of the user. It holds for all users of whom this is true. */
    Map<UserFact, String> facts() {
        return Map.copyOf(found.facts);
    }

    /** Returns the parameters whose values the result depends on. */
    Set<Integer> parametersWithValueUse() {
        return Set.copyOf(found.looked);
    }

    @Override
    public void recordValueUse(int parameter) {
        found.looked.add(parameter);
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
        return found.facts.computeIfAbsent(new UserFact.Name(), fact -> context.user());
    }

    @Override
    public boolean isMember(String role) {
        UserFact fact = new UserFact.Member(role);
        return Boolean.parseBoolean(
                found.facts.computeIfAbsent(fact, asked -> Boolean.toString(context.isMember(role))));
    }

    /** The policies of a table change with its version, unless they depend on the user. */
    @Override
    public TablePolicies policies(Table table) {
        TablePolicies policies = context.policies(table);
        if (context.policiesDependOnUser()) {
            found.facts.put(new UserFact.Policies(table.database(), table.name()), policies.key());
        }
        return policies;
    }

    @Override
    public boolean policiesDependOnUser() {
        return context.policiesDependOnUser();
    }

    @Override
    public AnalysisContext forPolicies() {
        return new DependencyTrackingContext(context.forPolicies(), catalog, found);
    }

    @Override
    public Instant queryStart() {
        found.timed = true;
        return context.queryStart();
    }

    @Override
    public ZoneId timeZone() {
        return context.timeZone();
    }

    @Override
    public Optional<Table> table(String database, String name) {
        found.dependencies.add(new Dependency(database, name, catalog.version(database, name)));
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
    public List<ScriptFile> scriptFiles() {
        return context.scriptFiles();
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
