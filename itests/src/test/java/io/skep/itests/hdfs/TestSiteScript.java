package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedBeeline;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.StartedDaemon;
import io.skep.itests.server.TaggingJar;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A batch script as sites of Hive have them, run by the released Beeline with {@code -f}. */
@Timeout(600)
final class TestSiteScript {
    private static final int DAEMONS = 2;

    private static final String EVENTS = """
            1\tbuy\t150.00\t2026-11-28
            1\tbuy\t20.50\t2026-11-28
            2\tbuy\t5.00\t2026-11-28
            3\trefund\t-50.00\t2026-11-28
            4\tbuy\t300.00\t2026-11-27
            broken\tbuy\tx\t2026-11-28
            """;

    private static final String SCORES = """
            import sys
            for line in sys.stdin:
                user, amount = line.rstrip('\\n').split('\\t')
                print(user + '\\t' + str(int(float(amount)) // 10))
            """;

    private static final String SCRIPT = """
            -- The batch of one day.
            set hive.exec.dynamic.partition=true;
            set hive.exec.dynamic.partition.mode=nonstrict;
            set hive.exec.parallel=true;
            set hive.auto.convert.join=true;
            set hive.vectorized.execution.enabled=true;
            set hive.support.concurrency=true;
            set hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;
            set hive.tez.container.size=2048;
            set mapreduce.job.reduces=4;
            set hivevar:large=100;

            create database if not exists site;
            use site;

            create external table if not exists raw_events (
              user_id bigint, kind string, amount decimal(10,2), day string)
            row format delimited fields terminated by '\\t'
            stored as textfile
            location '${input}';

            add jar ${jar};
            create temporary function tagged as 'Tagged';
            add file ${scores};

            create temporary table cleaned stored as orc as
            select user_id, tagged(kind) as kind, amount, day from raw_events where user_id is not null;

            create table by_day (user_id bigint, kind string, amount decimal(10,2))
            partitioned by (day string) stored as orc;
            create table large_amounts (user_id bigint, amount decimal(10,2)) stored as parquet;
            from cleaned
            insert overwrite table by_day partition (day) select user_id, kind, amount, day
            insert overwrite table large_amounts select user_id, amount where amount > ${large};

            create table scores (user_id bigint, score int) stored as orc;
            from (
              select transform (user_id, amount) using 'python3 scores.py' as (user_id bigint, score int) from cleaned
            ) s
            insert overwrite table scores select user_id, max(score) group by user_id;

            create table customers (user_id bigint, total decimal(20,2), name string)
            clustered by (user_id) into 2 buckets stored as orc tblproperties ('transactional'='true');
            insert into customers values (1, 10.00, 'ann'), (3, 7.00, 'cid'), (9, 1.00, 'ned');
            create materialized view totals as
            select name, count(*) as customers, sum(total) as total from customers group by name;

            merge into customers t
            using (select user_id, sum(amount) as total from by_day where day = '${day}' group by user_id) s
            on t.user_id = s.user_id
            when matched and s.total < 0 then delete
            when matched then update set total = t.total + s.total
            when not matched then insert values (s.user_id, s.total, 'new');
            alter materialized view totals rebuild;
            analyze table by_day partition (day) compute statistics for columns;

            select 'days', day, count(*), sum(amount) from by_day group by day order by day;
            select 'large', user_id, amount from large_amounts order by user_id;
            select 'score', user_id, score from scores order by user_id;
            select 'customer', user_id, total, name from customers order by user_id;
            select 'total', name, customers, total from totals order by name;
            select 'kind', kind, count(*) from cleaned group by kind order by kind;
            """;

    private static final List<String> ANSWERS = List.of(
            "days,2026-11-27,1,300.00",
            "days,2026-11-28,4,125.50",
            "large,1,150.00",
            "large,4,300.00",
            "score,1,15",
            "score,2,0",
            "score,3,-5",
            "score,4,30",
            "customer,1,180.50,ann",
            "customer,2,5.00,new",
            "customer,9,1.00,ned",
            "total,ann,1,180.50",
            "total,ned,1,1.00",
            "total,new,1,5.00",
            "kind,k-buy,4",
            "kind,k-refund,1");

    @TempDir
    private java.nio.file.Path folder;

    /** @param input the folder with the events, as a URI */
    private void run(String url, String input) throws Exception {
        java.nio.file.Path script = Files.writeString(folder.resolve("batch.sql"), SCRIPT);
        java.nio.file.Path scores = Files.writeString(folder.resolve("scores.py"), SCORES);
        java.nio.file.Path jar = TaggingJar.make(Files.createDirectories(folder.resolve("jar")), "k-", 1);
        List<String> options = new ArrayList<>(List.of("--outputformat=csv2", "--showHeader=false"));
        Map.of("input", input, "jar", jar, "scores", scores, "day", "2026-11-28")
                .forEach((name, value) -> options.addAll(List.of("--hivevar", name + "=" + value)));
        options.addAll(List.of("-f", script.toString()));
        ReleasedBeeline.Result result = ReleasedBeeline.run(url, "", options.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(line -> line.matches("(days|large|score|customer|total|kind),.*")))
                .as(result.output())
                .containsExactlyElementsOf(ANSWERS);
    }

    @Test
    void embedded() throws Exception {
        java.nio.file.Path input = Files.createDirectories(folder.resolve("input"));
        Files.writeString(input.resolve("events.tsv"), EVENTS);
        try (TestServer server = TestServer.start(Map.of("skep.script.enabled", "true"))) {
            run(server.jdbcUrl(), "file:" + input);
        }
    }

    @Test
    void onHdfsWithSeveralDaemons() throws Exception {
        List<StartedDaemon> daemons = new ArrayList<>();
        try (HadoopProcess hadoop = HadoopProcess.start(2, Map.of("dfs.replication", "2"));
                FileSystem hdfs = hadoop.client()) {
            try (var out = hdfs.create(new Path("/input/events.tsv"))) {
                out.write(EVENTS.getBytes(StandardCharsets.UTF_8));
            }
            Map<String, String> settings = new HashMap<>(HdfsServer.settings(hadoop));
            settings.put("skep.script.enabled", "true");
            for (int i = 0; i < DAEMONS; i++) {
                daemons.add(StartedDaemon.start(folder.resolve("daemon" + i), settings));
            }
            settings.put(
                    "skep.llap.daemons",
                    daemons.getFirst().endpoint() + "," + daemons.getLast().endpoint());
            try (ServerProcess server =
                    ServerProcess.start(Files.createDirectories(folder.resolve("data")), settings)) {
                run(server.url(), hadoop.uri() + "/input");
                for (StartedDaemon daemon : daemons) {
                    assertThat(daemon.leftovers()).isEmpty();
                }
            }
        } finally {
            close(daemons);
        }
    }

    private static void close(List<StartedDaemon> daemons) throws IOException {
        for (StartedDaemon daemon : daemons) {
            daemon.close();
        }
    }
}
