package io.skep.ql.analyze;

import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.PolicyBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.jspecify.annotations.Nullable;

/** Analyzes TABLESAMPLE by buckets, which selects a share of the rows by hash. */
final class BucketSample {
    private BucketSample() {}

    /** Analyzes BUCKET x OUT OF y [ON expressions]. */
    static Scope apply(SyntaxNode sample, Scope scope, Environment environment) {
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
