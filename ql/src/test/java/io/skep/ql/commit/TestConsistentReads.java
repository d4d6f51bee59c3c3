package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.metastore.cache.CachedCatalog;
import io.skep.metastore.commit.CommitOwner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the answers from statistics when others change the catalog without notification. */
final class TestConsistentReads {
    private static final CommitConfig TERMS =
            new CommitConfig(Duration.ofMinutes(4), Duration.ofMinutes(4), true, List.of("file"));
    private static final long WEIGHT = 1 << 20;

    @TempDir
    private Path folder;

    private TwoServers servers;
    private Catalog database;
    private CachedCatalog catalog;
    private TableCommits commits;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        servers = TwoServers.open();
        database = servers.metastore().metastore().uncached();
        catalog = new CachedCatalog(database, WEIGHT, position -> {}, false);
        commits = new TableCommits(
                servers.metastore().folder().resolve("commits"),
                servers.files(),
                catalog,
                servers.metastore().metastore().transactions(),
                TERMS,
                servers.first());
        catalog.createTable(CommittedTable.of("t", Files.createDirectories(folder.resolve("t")), List.of()));
        table = catalog.table("default", "t").orElseThrow();
    }

    @AfterEach
    void end() {
        commits.close();
        servers.close();
    }

    private void countSilently(String rows) {
        database.alterTable("default", "t", table.withProperties(Map.of(StatsSetupConst.ROW_COUNT, rows)), false);
    }

    private Optional<String> rows(Runnable asked) {
        return commits.readConsistently(asking -> {
            asking.accept(table);
            String rows =
                    catalog.table("default", "t").orElseThrow().properties().get(StatsSetupConst.ROW_COUNT);
            asked.run();
            return String.valueOf(rows);
        });
    }

    @Test
    void areThoseOfTheDatabaseAsItIs() {
        assertThat(rows(() -> {})).contains("0");
        countSilently("7");
        assertThat(rows(() -> {})).contains("7");
    }

    @Test
    void areNotGivenWhenAnotherServerCommitsMeanwhile() {
        CommitOwner owner = servers.second().owner("c");
        AtomicInteger times = new AtomicInteger();
        assertThat(rows(() -> {
                    if (times.incrementAndGet() == 2) {
                        servers.second().begin(Set.of(ConsistentReads.key(table)), owner);
                    }
                }))
                .isEmpty();
        assertThat(servers.second().end(owner)).isTrue();
    }
}
