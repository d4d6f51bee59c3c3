package io.skep.itests.fuzz;

import io.skep.common.config.KnownSettings;
import io.skep.common.query.QueryId;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.CommitConfig;
import io.skep.ql.commit.StoredTableFiles;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
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
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** An engine over a few tables in its own catalog, which is deleted when the process exits. */
final class SqlEngines {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE t (a int, b string, c double, d decimal(10,2), e date, f timestamp, g boolean)",
            "CREATE TABLE u (a bigint, l array<int>, m map<string,int>, s struct<x:int,y:string>) STORED AS ORC",
            "CREATE TABLE p (a int, b string) PARTITIONED BY (k string, n int) STORED AS PARQUET",
            "ALTER TABLE p ADD PARTITION (k = 'x', n = 1)",
            "CREATE VIEW v AS SELECT a, b FROM t WHERE a > 1",
            "CREATE DATABASE w",
            "CREATE TABLE w.t (a int, z string) CLUSTERED BY (a) INTO 2 BUCKETS");

    private SqlEngines() {}

    /** @param runner runs queries; statements that are only compiled need none */
    static HiveSqlEngine open(StageGraphRunner runner) {
        TestingMetastore metastore = TestingMetastore.open();
        Runtime.getRuntime().addShutdownHook(new Thread(metastore::close));
        HadoopFileSystem files = new HadoopFileSystem(new Configuration(false));
        TableFiles tableFiles = new StoredTableFiles(files, new SplitEnumerator(files, 1 << 20));
        String warehouse = "file:" + metastore.warehouse();
        HiveSqlEngine engine = new HiveSqlEngine(
                new StatementServices(
                        metastore.catalog(),
                        metastore.metastore().privileges(),
                        new PartitionColumns(metastore.catalog(), 1000),
                        new PlanCache(metastore.catalog()),
                        new QueryRuns(Schedulers.only(runner)),
                        tableFiles,
                        new TableCommits(
                                metastore.folder().resolve("commits"),
                                tableFiles,
                                metastore.catalog(),
                                metastore.metastore().transactions(),
                                CommitConfig.DEFAULT),
                        new AlgebraMetadata(new TableStatistics(metastore.catalog())),
                        PlanningLimits.DEFAULT,
                        new PathPolicy(PathConfig.of(metastore.folder(), warehouse), tableFiles.qualified("/")),
                        warehouse,
                        InstantSource.system(),
                        StatementTransactions.of(metastore.metastore()),
                        ExternalReads.NONE,
                        new RunningStatements(),
                        metastore.metastore().scheduledQueries(),
                        metastore.metastore().dataConnectors(),
                        new SystemReads(
                                metastore.metastore().systemRows(),
                                new FormatRegistry(files, ZoneOffset.UTC),
                                tableFiles),
                        new HandlerReads(new FormatRegistry(files, ZoneOffset.UTC), tableFiles)),
                KnownSettings.NONE,
                Map.of("hive.local.time.zone", "UTC"));
        try (SqlSession session = engine.openSession("fuzz", Map.of())) {
            for (String table : TABLES) {
                try (SqlStatement statement = session.compile(new QueryId("setup"), table)) {
                    statement.run(line -> {});
                }
            }
        }
        return engine;
    }
}
