package io.skep.metastore.cache;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TestCachedCatalog {
    private static final Table TABLE = table("db", "t", columns("a", "int"), columns("ds", "string", "h", "int"));

    private final FakeCatalog fake = new FakeCatalog();
    private final CachedCatalog cached = new CachedCatalog(fake.catalog(), 1_000_000);

    @BeforeEach
    void fill() {
        fake.tables.put("db.t", TABLE);
        for (int day = 10; day < 20; day++) {
            for (int hour = 0; hour < 3; hour++) {
                fake.partitions.put("ds=" + day + "/h=" + hour, partition(TABLE, "" + day, "" + hour));
            }
        }
    }

    private void readAll() {
        cached.databases();
        cached.database("db");
        cached.tables("db");
        cached.table("db", "t");
        cached.table("db", "none");
        cached.partitions(TABLE, values -> values.getFirst().compareTo("15") >= 0);
        cached.partitionNames(TABLE);
        cached.tableStatistics(TABLE, List.of("a"));
        cached.partitionStatistics(TABLE, List.of("ds=10/h=0", "ds=10/h=1"), List.of("a"));
        cached.functions();
    }

    @Test
    void knownThingsCostNoCall() {
        readAll();
        fake.calls.clear();
        readAll();
        assertThat(fake.calls).isEmpty();
    }

    @Test
    void constraintsOutliveChangesOfRows() {
        cached.table("db", "t");
        cached.constraints(TABLE);
        fake.calls.clear();
        cached.alterTable("db", "t", TABLE, false);
        cached.putTableStatistics(TABLE, List.of());
        cached.constraints(TABLE);
        assertThat(fake.calls).containsExactly("alterTable", "putTableStatistics");
        cached.table("db", "t");
        Table wider = table("db", "t", columns("a", "int", "b", "int"), columns("ds", "string", "h", "int"));
        cached.alterTable("db", "t", wider, false);
        cached.constraints(TABLE);
        assertThat(fake.calls).endsWith("table", "alterTable", "constraints");
    }

    @Test
    void recordedWritesNeedNotBeRead() {
        cached.table("db", "t");
        cached.constraints(TABLE);
        long version = cached.version("db", "t");
        Table written = TABLE.withProperties(Map.of("numRows", "1"));
        fake.calls.clear();
        ColumnStatistics one = ColumnStatistics.of("a", 0, 1);
        ColumnStatistics two = ColumnStatistics.of("a", 0, 2);
        cached.recordWrite(written, List.of(one));
        assertThat(cached.table("db", "t")).contains(written);
        assertThat(cached.tableStatistics(TABLE, List.of("a"))).containsExactly(one);
        cached.recordWrite(written, List.of());
        assertThat(cached.tableStatistics(TABLE, List.of("a"))).containsExactly(one);
        cached.recordWrite(written, List.of(two));
        assertThat(cached.tableStatistics(TABLE, List.of("a"))).containsExactly(two);
        cached.constraints(TABLE);
        assertThat(fake.calls).containsExactly("recordWrite", "recordWrite", "recordWrite");
        Table wider = table("db", "t", columns("a", "int", "b", "int"), columns("ds", "string", "h", "int"));
        cached.recordWrite(wider, List.of());
        assertThat(cached.tableStatistics(wider, List.of("a"))).isEmpty();
        assertThat(fake.calls).endsWith("recordWrite", "tableStatistics");
        assertThat(cached.version("db", "t")).isNotEqualTo(version);
    }

    /** Another change, of whichever client, comes after the write and becomes known before the write returns. */
    @Test
    void recordedWritesAreReadIfTheTableHasChangedSince() {
        Table written = TABLE.withProperties(Map.of("numRows", "1"));
        Table newer = TABLE.withProperties(Map.of("numRows", "2"));
        List<Runnable> changes = List.of(
                () -> cached.apply(
                        new ChangeFeed.Changes(1, true, List.of(new ChangeFeed.Change("db", Optional.of("t"))))),
                () -> cached.apply(new ChangeFeed.Changes(1, false, List.of())),
                () -> cached.apply(
                        new ChangeFeed.Changes(1, true, List.of(new ChangeFeed.Change("db", Optional.empty())))),
                () -> cached.alterTable("db", "t", newer, false),
                () -> cached.putTableStatistics(TABLE, List.of()));
        for (Runnable change : changes) {
            cached.table("db", "t");
            fake.afterRecord = () -> {
                fake.tables.put("db.t", newer);
                change.run();
                assertThat(cached.table("db", "t")).contains(newer);
            };
            cached.recordWrite(written, List.of());
            assertThat(cached.table("db", "t")).contains(newer);
        }
    }

    @Test
    void failedWritesAreReadAgain() {
        cached.table("db", "t");
        fake.afterRecord = () -> {
            throw new IllegalStateException("no answer");
        };
        Table written = TABLE.withProperties(Map.of("numRows", "1"));
        assertThatThrownBy(() -> cached.recordWrite(written, List.of())).hasMessage("no answer");
        assertThat(cached.table("db", "t")).contains(written);
    }

    @Test
    void onlyAcceptedPartitionsAreLoadedAndEachOnce() {
        List<Partition> some = cached.partitions(TABLE, values -> values.equals(List.of("12", "1")));
        assertThat(some).containsExactly(partition(TABLE, "12", "1"));
        cached.partitions(TABLE, values -> values.getFirst().equals("12"));
        assertThat(fake.calls).containsExactly("partitionNames", "partitionsByName:1", "partitionsByName:2");
        assertThat(cached.partitions(TABLE, values -> true)).hasSize(30);
        assertThat(fake.calls).endsWith("partitionsByName:27");
        assertThat(cached.partition(TABLE, List.of("19", "2"))).contains(partition(TABLE, "19", "2"));
        assertThat(cached.partition(TABLE, List.of("19", "3"))).isEmpty();
        assertThat(cached.partition(TABLE, List.of("zz", "3"))).isEmpty();
        assertThat(fake.calls).hasSize(4);
    }

    @Test
    void partitionsShareTheTablesColumns() {
        Table read = cached.table("db", "t").orElseThrow();
        Table equal = table("db", "t", columns("a", "int"), columns("ds", "string", "h", "int"));
        fake.partitions.put("ds=99/h=9", partition(equal, "99", "9"));
        Partition loaded = cached.partition(read, List.of("99", "9")).orElseThrow();
        assertThat(loaded.storage().columns()).isSameAs(read.columns());
    }

    @Test
    void namesThatHiveWroteInAnotherWayAreKept() {
        fake.partitions.put("ds=a b/h={1}", partition(TABLE, "a b", "{1}"));
        assertThat(cached.partitionNames(TABLE)).contains("ds=a b/h={1}");
        assertThat(cached.partitions(TABLE, values -> values.getFirst().equals("a b")))
                .hasSize(1);
        assertThat(cached.partitionsByName(TABLE, List.of("ds=a b/h={1}"))).hasSize(1);
    }

    @Test
    void writeIsSeenByTheNextRead() {
        assertThat(cached.partitionNames(TABLE)).hasSize(30);
        long version = cached.version("db", "t");
        cached.addPartitions(TABLE, List.of(partition(TABLE, "20", "0")), false);
        assertThat(cached.partitionNames(TABLE)).hasSize(31);
        assertThat(cached.version("db", "t")).isNotEqualTo(version);
    }

    @Test
    void writeToPartitionsKeepsTheOthers() {
        cached.table("db", "t");
        assertThat(cached.partitions(TABLE, values -> true)).hasSize(30);
        fake.calls.clear();
        cached.addPartitions(TABLE, List.of(partition(TABLE, "00", "0"), partition(TABLE, "12", "1")), true);
        cached.table("db", "t");
        assertThat(cached.partitions(TABLE, values -> true)).hasSize(31);
        assertThat(cached.partitionNames(TABLE)).hasSize(31).first().isEqualTo("ds=00/h=0");
        assertThat(fake.calls).containsExactly("addPartitions", "partitionsByName:2");
        assertThat(cached.partition(TABLE, List.of("19", "2"))).contains(partition(TABLE, "19", "2"));
    }

    @Test
    void failedWriteToPartitionsLeavesNothingKnown() {
        cached.partitions(TABLE, values -> true);
        fake.calls.clear();
        assertThatThrownBy(() -> cached.dropPartitions(TABLE, List.of(List.of("12", "1")), DroppedFiles.TRASHED))
                .isInstanceOf(UnsupportedOperationException.class);
        cached.partitionNames(TABLE);
        assertThat(fake.calls).containsExactly("dropPartitions", "partitionNames");
    }

    @Test
    void manyTablesAreReadAtOnce() {
        Table other = table("db", "u", columns("a", "int"), List.of());
        fake.tables.put("db.u", other);
        assertThat(cached.tablesByName("db", List.of("u", "t"))).containsExactly(other, TABLE);
        assertThat(cached.tablesByName("db", List.of("t", "u"))).containsExactly(TABLE, other);
        assertThat(fake.calls).containsExactly("tablesByName");
    }

    /** The cache has no room for all of them. */
    @Test
    void tablesThatDoNotFitAreReadAtOnceToo() {
        CachedCatalog small = new CachedCatalog(fake.catalog(), 20_000);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            fake.tables.put("db.t" + i, table("db", "t" + i, columns("a", "int"), List.of()));
            names.add("t" + i);
        }
        assertThat(small.tablesByName("db", names)).extracting(Table::name).isEqualTo(names);
        assertThat(fake.calls).containsExactly("tablesByName");
        assertThat(small.stats().weight()).isLessThanOrEqualTo(20_000);
    }

    @Test
    void othersWritesAreSeenWhenTheyAreTold() {
        cached.table("db", "t");
        long version = cached.version("db", "t");
        fake.tables.remove("db.t");
        assertThat(cached.table("db", "t")).isPresent();
        cached.apply(new ChangeFeed.Changes(1, true, List.of(new ChangeFeed.Change("db", Optional.of("other")))));
        assertThat(cached.table("db", "t")).isPresent();
        assertThat(cached.version("db", "t")).isEqualTo(version);
        cached.apply(new ChangeFeed.Changes(2, true, List.of(new ChangeFeed.Change("db", Optional.of("t")))));
        assertThat(cached.table("db", "t")).isEmpty();
        assertThat(cached.version("db", "t")).isNotEqualTo(version);
    }

    @Test
    void unknownChangesDropEverything() {
        readAll();
        long version = cached.version("db", "t");
        long another = cached.version("x", "y");
        cached.apply(new ChangeFeed.Changes(9, false, List.of()));
        fake.calls.clear();
        readAll();
        assertThat(fake.calls).contains("databases", "tables", "table", "partitionNames", "functions");
        assertThat(cached.version("db", "t")).isNotEqualTo(version);
        assertThat(cached.version("x", "y")).isNotEqualTo(another);
    }

    @Test
    void oneReaderLoadsWhileTheOthersWait() throws Exception {
        int readers = 16;
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        fake.beforeTable = () -> {
            entered.countDown();
            await(release);
        };
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<Table>>> reads = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                reads.add(pool.submit(() -> cached.table("db", "t")));
            }
            await(entered);
            release.countDown();
            for (Future<Optional<Table>> read : reads) {
                assertThat(read.get()).contains(TABLE);
            }
        }
        assertThat(fake.calls).containsExactly("table");
    }

    @Test
    void loadThatWasOvertakenByAWriteIsNotKept() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        fake.beforeTable = () -> {
            entered.countDown();
            await(release);
        };
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Table>> slow = pool.submit(() -> cached.table("db", "t"));
            await(entered);
            cached.dropTable("db", "t", DroppedFiles.TRASHED);
            release.countDown();
            slow.get();
        }
        fake.tables.remove("db.t");
        assertThat(cached.table("db", "t")).isEmpty();
    }

    @Test
    void failedLoadIsTriedAgain() {
        fake.beforeTable = () -> {
            throw new IllegalStateException("down");
        };
        assertThatThrownBy(() -> cached.table("db", "t")).isInstanceOf(IllegalStateException.class);
        fake.beforeTable = () -> {};
        assertThat(cached.table("db", "t")).isPresent();
    }

    @Test
    void leastUsedSnapshotsGoWhenItGetsTooHeavy() {
        CachedCatalog small = new CachedCatalog(fake.catalog(), 20_000);
        for (int i = 0; i < 100; i++) {
            small.table("db", "t" + i);
            small.table("db", "t");
        }
        assertThat(small.stats().weight()).isLessThanOrEqualTo(20_000);
        assertThat(small.stats().tables()).isBetween(5L, 20L);
        fake.calls.clear();
        small.table("db", "t");
        assertThat(fake.calls).isEmpty();
        assertThat(small.version("db", "t0")).isEqualTo(small.version("db", "t"));
    }

    /** Properties and comments can have any length. */
    @Test
    void whatATableHoldsIsWeighed() {
        String text = "x".repeat(100_000);
        fake.tables.put(
                "db.big", table("db", "big", columns("a", "int"), columns()).withProperties(Map.of("p", text)));
        long before = cached.stats().weight();
        cached.table("db", "big");
        assertThat(cached.stats().weight() - before).isGreaterThan(200_000);
        CachedCatalog small = new CachedCatalog(fake.catalog(), 1_000_000);
        for (int i = 0; i < 100; i++) {
            fake.tables.put("db.b" + i, fake.tables.get("db.big"));
            small.table("db", "b" + i);
            assertThat(small.stats().weight()).isLessThanOrEqualTo(1_000_000);
        }
        assertThat(small.stats().weight()).isGreaterThan(500_000);
    }

    @Test
    void whatPartitionsHoldIsWeighed() {
        Partition heavy = partition(TABLE, "99", "9");
        Map<String, String> properties = Map.of("p", "x".repeat(100_000));
        fake.partitions.put("ds=99/h=9", new Partition(heavy.values(), 0, 0, heavy.storage(), properties));
        cached.partitionNames(TABLE);
        long before = cached.stats().weight();
        cached.partition(TABLE, List.of("99", "9"));
        assertThat(cached.stats().weight() - before).isBetween(200_000L, 210_000L);
        cached.addPartitions(TABLE, List.of(heavy), false);
        assertThat(cached.stats().weight() - before).isLessThan(10_000);
    }

    /** Clients may request any name. Missing names are requested again each time, and none is cached. */
    @Test
    void namesThatAreNotThereAreNotKept() {
        Listings listings = new Listings(fake.catalog());
        for (int i = 0; i < 1000; i++) {
            assertThat(listings.database("none" + i)).isEmpty();
            assertThat(listings.tables("none" + i)).isEmpty();
        }
        assertThat(listings.size()).isZero();
        assertThat(listings.database("db")).isPresent();
        assertThat(listings.tables("db")).containsExactly("t");
        assertThat(listings.size()).isEqualTo(2);
    }

    /** Hive's metastore does not support names of this length. */
    @Test
    void namesThatNothingCanHaveAreNotAskedFor() {
        String name = "x".repeat(1_000_000);
        assertThat(cached.database(name)).isEmpty();
        assertThat(cached.tables(name)).isEmpty();
        assertThat(cached.table("db", name)).isEmpty();
        assertThat(cached.table(name, "t")).isEmpty();
        assertThat(cached.tablesByName("db", List.of(name))).isEmpty();
        assertThat(fake.calls).isEmpty();
        assertThat(cached.stats().weight()).isLessThan(10_000);
    }

    /** Clients create and drop tables with new names all the time. */
    @Test
    void versionsAreBounded() {
        SnapshotStore store = new SnapshotStore(fake.catalog(), 1_000_000);
        store.drop("db", "t");
        long version = store.version("db", "t");
        for (int i = 0; i < 10_000; i++) {
            store.drop("db", "t" + i);
            assertThat(store.versions()).isLessThan(1_000_000 / 120);
        }
        assertThat(store.version("db", "t")).isGreaterThan(version);
        long other = store.version("db", "t1");
        store.drop("db", "t1");
        assertThat(store.version("db", "t1")).isGreaterThan(other);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
