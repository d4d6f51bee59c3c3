package io.skep.ql.testing;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.HiveFunctionCatalog;
import io.skep.engine.plan.ScriptFile;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.optimize.ConstantReducer;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.storage.table.TableFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexNode;

/** A session over tables that exist only in memory, without files. Some tables are there from the start. */
public final class AnalysisFixture implements AnalysisContext {
    private static final FunctionCatalog FUNCTIONS = HiveFunctionCatalog.builtIn(Map.of());
    private static final ConstantReducer CONSTANTS =
            new ConstantReducer(new ExpressionCompiler(FunctionRegistry.builtIn(Map.of())));

    private final Map<String, Map<String, Table>> databases = new TreeMap<>();
    private final Map<String, String> settings = new HashMap<>();
    private final Map<String, Macro> macros = new HashMap<>();
    private final List<ColumnRead> reads = new ArrayList<>();
    private final Set<String> roles = new HashSet<>();

    public AnalysisFixture() {
        databases.put("other", new TreeMap<>());
        table(
                "default",
                "pv",
                "k int, ti tinyint, si smallint, b bigint, s string, f float, dbl double,"
                        + " d decimal(10,2), dt date, ts timestamp, bo boolean, c char(5), vc varchar(5),"
                        + " bi binary");
        table("default", "pv2", "k int, v string");
        table(
                "default",
                "t1",
                "a int, st struct<x:int,y:struct<z:string>>, arr array<int>, m map<string,double>,"
                        + " arrst array<struct<q:int>>");
        table("other", "o", "id bigint, name string");
        partitioned("default", "pvp", "k int", "p string");
    }

    public AnalysisFixture set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    public void macro(String name, Macro macro) {
        macros.put(name, macro);
    }

    public void table(String database, String name, String columns) {
        add(database, name, columns, "", TableKind.MANAGED_TABLE, null);
    }

    public void partitioned(String database, String name, String columns, String keys) {
        add(database, name, columns, keys, TableKind.MANAGED_TABLE, null);
    }

    public void view(String database, String name, String columns, String text) {
        add(database, name, columns, "", TableKind.VIRTUAL_VIEW, text);
    }

    private void add(
            String database,
            String name,
            String columns,
            String keys,
            TableKind kind,
            @org.jspecify.annotations.Nullable String text) {
        StorageDescriptor storage = new StorageDescriptor(
                columns(columns),
                "file:/w/" + name,
                new TableFormat("i", "o", "s", Map.of()),
                false,
                -1,
                List.of(),
                List.of());
        Table table = new Table(
                Table.NO_ID,
                database,
                name,
                kind,
                "me",
                false,
                0,
                0,
                columns(keys),
                storage,
                Map.of(),
                Optional.ofNullable(text),
                Optional.ofNullable(text),
                Optional.empty());
        put(table);
    }

    /** Adds a table, or replaces the one of its name. */
    void put(Table table) {
        databases.computeIfAbsent(table.database(), key -> new TreeMap<>()).put(table.name(), table);
    }

    /** Parses columns such as {@code a int, b decimal(10,2)}. Commas inside of parentheses do not separate columns. */
    private static List<FieldSchema> columns(String text) {
        List<FieldSchema> columns = new ArrayList<>();
        int depth = 0;
        int start = 0;
        String padded = text.isEmpty() ? "" : text + ",";
        for (int i = 0; i < padded.length(); i++) {
            char c = padded.charAt(i);
            depth += "(<".indexOf(c) >= 0 ? 1 : ")>".indexOf(c) >= 0 ? -1 : 0;
            if (c == ',' && depth == 0) {
                String[] parts = padded.substring(start, i).strip().split(" ", 2);
                columns.add(new FieldSchema(parts[0], TypeParser.parse(parts[1]), Optional.empty()));
                start = i + 1;
            }
        }
        return columns;
    }

    public AnalyzedQuery analyze(String text) {
        return analyze(text, new RelFactory());
    }

    AnalyzedQuery analyze(String text, RelFactory factory) {
        return new QueryAnalyzer(this, factory).analyze(new HiveSqlParser(settings).parse(text));
    }

    public List<AnalyzedInsert> inserts(String text) {
        return new QueryAnalyzer(this, new RelFactory()).analyzeInserts(new HiveSqlParser(settings).parse(text));
    }

    /** Returns the algebra, one operator per line. */
    public String plan(String text) {
        return RelOptUtil.toString(analyze(text).rel()).replaceAll("\\s+$", "");
    }

    /** Returns {@code name type, name type}. */
    public String schema(String text) {
        List<String> columns = new ArrayList<>();
        analyze(text).columns().forEach(column -> columns.add(column.name() + " " + column.type()));
        return String.join(", ", columns);
    }

    @Override
    public boolean wantsReads() {
        return true;
    }

    @Override
    public void recordReads(List<ColumnRead> found) {
        reads.addAll(found);
    }

    /** Returns what the texts that were analyzed so far read: {@code database.table(column, column)}. */
    public List<String> reads() {
        return reads.stream()
                .map(read -> read.table().qualifiedName() + "(" + String.join(", ", read.columns()) + ")")
                .toList();
    }

    @Override
    public FunctionCatalog functions() {
        return FUNCTIONS;
    }

    /** Scripts are allowed unless the setting says otherwise, and find one file. */
    @Override
    public List<ScriptFile> scriptFiles() {
        if (!flag("skep.script.enabled", true)) {
            throw new SkepException(StandardErrorCode.ACCESS_DENIED, "no scripts");
        }
        return List.of(new ScriptFile("file:/scripts/f.py", false));
    }

    @Override
    public String currentDatabase() {
        return "default";
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public String user() {
        return "hive_test_user";
    }

    /** Makes the user a member of a role. */
    public AnalysisFixture member(String role) {
        roles.add(role);
        return this;
    }

    @Override
    public boolean isMember(String role) {
        return roles.contains(role);
    }

    @Override
    public TablePolicies policies(Table table) {
        return PolicyProperties.of(table);
    }

    @Override
    public boolean policiesDependOnUser() {
        return false;
    }

    @Override
    public AnalysisContext forPolicies() {
        return this;
    }

    @Override
    public Instant queryStart() {
        return Instant.parse("2026-11-21T05:00:00.123456789Z");
    }

    @Override
    public ZoneId timeZone() {
        return ZoneId.of("US/Pacific");
    }

    @Override
    public Optional<Table> table(String database, String name) {
        return Optional.ofNullable(databases.getOrDefault(database, Map.of()).get(name));
    }

    @Override
    public List<String> tableNames(String database) {
        return List.copyOf(databases.getOrDefault(database, Map.of()).keySet());
    }

    @Override
    public boolean databaseExists(String database) {
        return databases.containsKey(database);
    }

    @Override
    public Optional<Datum> evaluate(RexNode constant, HiveRexBuilder rexBuilder) {
        return CONSTANTS.evaluate(constant, rexBuilder);
    }

    @Override
    public Optional<Macro> macro(String name) {
        return Optional.ofNullable(macros.get(name));
    }
}
