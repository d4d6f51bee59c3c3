package io.skep.itests.fuzz;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.compiler.HiveSqlEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Statements that are parsed and planned but not run. A byte above 127 stands for a word of {@link #WORDS}; any other
 * byte stands for its character. A changed byte therefore more often produces another statement than another syntax
 * error.
 */
final class SqlInputs implements InputReader {
    private static final int ASCII = 128;

    private static final List<String> WORDS = List.of("""
            SELECT FROM WHERE GROUP_BY ORDER_BY HAVING LIMIT DISTINCT JOIN LEFT_JOIN FULL_JOIN LEFT_SEMI_JOIN \
            CROSS_JOIN ON AND OR NOT IN EXISTS IS_NULL BETWEEN LIKE RLIKE CASE WHEN THEN ELSE END UNION_ALL UNION \
            INTERSECT EXCEPT AS WITH CAST( INTERVAL OVER( PARTITION_BY ROWS UNBOUNDED PRECEDING CURRENT_ROW \
            LATERAL_VIEW explode( posexplode( stack( inline( json_tuple( GROUPING_SETS CUBE ROLLUP INSERT_INTO \
            INSERT_OVERWRITE TABLE VALUES CREATE DROP ALTER VIEW DATABASE EXTERNAL TEMPORARY STORED_AS ORC LOCATION \
            TBLPROPERTIES PARTITION PARTITIONED_BY CLUSTERED_BY INTO BUCKETS SORT_BY DISTRIBUTE_BY CLUSTER_BY EXPLAIN \
            DESCRIBE SHOW TABLES ANALYZE COMPUTE_STATISTICS FOR COLUMNS LOAD_DATA INPATH SET ADD_COLUMNS CHANGE \
            RENAME_TO IF_NOT_EXISTS int string double decimal(10,2) date timestamp array<int> t u p v w.t a b c d e f \
            g k n l m s.x count(*) sum( avg( min( max( row_number() coalesce( concat( substr( array( map( \
            named_struct( if( to_date( 'x' '2020-01-01' 1 0 -1 2147483648 1.5 1e400 NULL TRUE""".split("\\s+"));

    private final HiveSqlEngine engine = SqlEngines.open(run -> {
        throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "statements are not run here");
    });

    @Override
    public void read(byte[] input) {
        try (SqlSession session = engine.openSession("fuzz", Map.of());
                SqlStatement statement = session.compile(new QueryId("fuzz"), text(input))) {
            Optional<String> plan = statement.plan().map(Supplier::get);
            if (plan.isPresent() && plan.get().isBlank()) {
                throw new AssertionError("a plan without a word");
            }
        }
    }

    static String text(byte[] input) {
        StringBuilder text = new StringBuilder();
        for (byte one : input) {
            if (one >= 0) {
                text.append((char) one);
            } else {
                text.append(' ')
                        .append(WORDS.get((one + ASCII) % WORDS.size()).replace('_', ' '))
                        .append(' ');
            }
        }
        return text.toString();
    }
}
