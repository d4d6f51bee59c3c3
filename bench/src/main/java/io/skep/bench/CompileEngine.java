package io.skep.bench;

import io.skep.common.config.KnownSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.CommitConfig;
import io.skep.ql.commit.StoredTableFiles;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.compiler.HiveSqlEngine;
import io.skep.ql.execution.QueryRuns;
import io.skep.ql.execution.RunningStatements;
import io.skep.ql.execution.Schedulers;
import io.skep.ql.external.ExternalReads;
import io.skep.ql.handler.HandlerReads;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.optimize.TableStatistics;
import io.skep.ql.path.PathConfig;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.physical.PartitionColumns;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.reuse.PlanCache;
import io.skep.ql.statement.StatementServices;
import io.skep.ql.system.SystemReads;
import io.skep.ql.transaction.StatementTransactions;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * An engine that compiles statements and runs only definitions. It has TPC-H's tables and a table of reports, without
 * rows.
 */
final class CompileEngine implements AutoCloseable {
    private static final int DAYS = 365;

    private final TestingMetastore metastore = TestingMetastore.open();
    private final PlanCache plans = new PlanCache(metastore.catalog());
    private final HiveSqlEngine engine;

    CompileEngine() {
        HadoopFileSystem files = new HadoopFileSystem(new Configuration(false));
        StoredTableFiles tableFiles =
                new StoredTableFiles(files, new SplitEnumerator(files, SplitEnumerator.DEFAULT_SPLIT_BYTES));
        StatementServices services = new StatementServices(
                metastore.catalog(),
                metastore.metastore().privileges(),
                new PartitionColumns(metastore.catalog(), 1_000_000),
                plans,
                new QueryRuns(Schedulers.only(run -> {
                    throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "this engine runs no queries");
                })),
                tableFiles,
                new TableCommits(
                        metastore.folder().resolve("commits"),
                        tableFiles,
                        metastore.catalog(),
                        metastore.metastore().transactions(),
                        CommitConfig.DEFAULT),
                new AlgebraMetadata(new TableStatistics(metastore.catalog())),
                PlanningLimits.DEFAULT,
                new PathPolicy(
                        PathConfig.of(metastore.folder(), "file:" + metastore.warehouse()), tableFiles.qualified("/")),
                "file:" + metastore.warehouse(),
                InstantSource.system(),
                StatementTransactions.of(metastore.metastore()),
                ExternalReads.NONE,
                new RunningStatements(),
                metastore.metastore().scheduledQueries(),
                metastore.metastore().dataConnectors(),
                new SystemReads(
                        metastore.metastore().systemRows(), new FormatRegistry(files, ZoneOffset.UTC), tableFiles),
                new HandlerReads(new FormatRegistry(files, ZoneOffset.UTC), tableFiles));
        engine = new HiveSqlEngine(services, KnownSettings.NONE, Map.of("hive.local.time.zone", "UTC"));
        define();
    }

    private void define() {
        Map<String, Integer> rows = Map.of("lineitem", 6_000_000, "orders", 1_500_000, "partsupp", 800_000);
        try (SqlSession session = session()) {
            TpchTables.COLUMNS.forEach((table, columns) -> run(
                    session,
                    "create table " + table + " (" + columns + ") stored as orc tblproperties ('numRows'='"
                            + rows.getOrDefault(table, 200_000) + "')"));
            run(session, "create table report (account int, country string, imps bigint) partitioned by (day int)");
            StringBuilder partitions = new StringBuilder("alter table report add");
            for (int day = 1; day <= DAYS; day++) {
                partitions.append(" partition (day=").append(day).append(')');
            }
            run(session, partitions.toString());
        }
    }

    private static void run(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("define"), sql)) {
            statement.run(line -> {});
        }
    }

    SqlSession session() {
        return engine.openSession("bench", Map.of());
    }

    /** Returns the number of queries that found a cached plan. */
    long hits() {
        return plans.hits();
    }

    @Override
    public void close() {
        metastore.close();
    }
}
