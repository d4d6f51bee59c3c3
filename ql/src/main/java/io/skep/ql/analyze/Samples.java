package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.PolicyBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.jspecify.annotations.Nullable;

/** Analyzes TABLESAMPLE, which selects a share of the rows by hash, or the first rows. */
final class Samples {
    private Samples() {}

    static Scope apply(SyntaxNode sample, Scope scope, Environment environment) {
        if (sample.is(HiveParser.TOK_TABLEBUCKETSAMPLE)) {
            return bucket(sample, scope, environment);
        }
        SyntaxNode unit = sample.child(0);
        if (!unit.is(HiveParser.TOK_ROWCOUNT)) {
            throw SemanticErrors.notSupported(sample, "TABLESAMPLE by percent or bytes");
        }
        RexNode count = environment
                .factory()
                .rex()
                .constant(new Datum.OfLong(Long.parseLong(sample.child(1).text())), PrimitiveType.BIGINT);
        RelNode first = LogicalSort.create(scope.rel(), RelCollations.EMPTY, null, count);
        return scope.over(first);
    }

    /** Analyzes BUCKET x OUT OF y [ON expressions]. */
    private static Scope bucket(SyntaxNode sample, Scope scope, Environment environment) {
        long bucket = Long.parseLong(sample.child(0).text());
        long buckets = Long.parseLong(sample.child(1).text());
        if (bucket < 1 || bucket > buckets) {
            ErrorMsg error = ErrorMsg.BUCKETED_NUMERATOR_BIGGER_DENOMINATOR;
            throw SemanticErrors.plain(sample, error, error.getMsg() + " " + tableName(scope))
                    .withHint("there is no bucket " + bucket + " out of " + buckets);
        }
        if (buckets == 1) {
            return scope;
        }
        ExpressionAnalyzer expressions = new ExpressionAnalyzer(environment, scope, Optional.empty());
        List<RexNode> keys = sample.childCount() > 2
                ? expressions.analyze(sample.children().subList(2, sample.childCount()))
                : bucketColumns(sample, scope);
        FunctionCalls functions = new FunctionCalls(environment, expressions);
        HiveRexBuilder rex = environment.factory().rex();
        RexNode part = BucketNumbers.of(sample, isMurmur(scope), buckets, keys, functions);
        RexNode wanted = BucketNumbers.number(bucket - 1, rex);
        RexNode condition = rex.makeCall(SqlStdOperatorTable.EQUALS, part, wanted);
        return scope.over(Projections.filter(scope, condition));
    }

    /** Whether the table assigns rows to buckets with the hash function of bucketing version 2. */
    private static boolean isMurmur(Scope scope) {
        Table table = table(scope);
        return table != null && "2".equals(table.properties().get("bucketing_version"));
    }

    private static String tableName(Scope scope) {
        Table table = table(scope);
        return table == null ? scope.columns().getFirst().table() : table.name();
    }

    private static @Nullable Table table(Scope scope) {
        if (scope.rel() instanceof PolicyBarrier barrier) {
            return barrier.table();
        }
        return scope.rel().getTable() == null ? null : scope.rel().getTable().unwrap(Table.class);
    }

    private static List<RexNode> bucketColumns(SyntaxNode sample, Scope scope) {
        Table table = table(scope);
        List<String> names = table == null ? List.of() : table.storage().bucketColumns();
        if (names.isEmpty()) {
            ErrorMsg error = ErrorMsg.NON_BUCKETED_TABLE;
            throw SemanticErrors.plain(sample, error, error.getMsg() + " " + tableName(scope))
                    .withHint("say by what to sample: ON expression");
        }
        List<RexNode> keys = new ArrayList<>();
        names.forEach(
                name -> keys.add(scope.reference(scope.column(sample, "", name).orElseThrow())));
        return keys;
    }
}
