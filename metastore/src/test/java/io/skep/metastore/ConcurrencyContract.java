package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests many concurrent callers, and interrupted callers. */
interface ConcurrencyContract extends CatalogUnderTest {
    @Test
    default void writesFromManyThreadsAllSucceed() throws Exception {
        int threads = 8;
        Table table = create(table("db", "shared", columns("a", "int"), columns("ds", "string")));
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String name = "t" + i;
                String value = "v" + i;
                done.add(pool.submit(() -> {
                    create(table("db", name, columns("a", "int"), List.of()));
                    catalog().addPartitions(table, List.of(partition(table, value)), false);
                    assertThat(catalog().table("db", name)).isPresent();
                    return catalog().partitions(table, v -> true);
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
        }
        assertThat(catalog().tables("db")).hasSize(threads + 1);
        assertThat(catalog().partitionNames(table)).hasSize(threads);
    }

    @Test
    default void interruptedCallerGoesAndHarmsNobody() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> catalog().addPartitions(table, List.of(partition(table, "x")), false))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(catalog().partition(table, List.of("x"))).isEmpty();
        assertThat(catalog().table("db", "t")).contains(table);
    }

    @Test
    default void oneOfManyCreatorsWins() throws Exception {
        int threads = 6;
        int created = 0;
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                done.add(pool.submit(() -> {
                    try {
                        catalog().createTable(table("db", "race", columns("a", "int"), List.of()));
                        return true;
                    } catch (SkepException e) {
                        assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_EXISTS);
                        return false;
                    }
                }));
            }
            for (Future<Boolean> one : done) {
                created += one.get() ? 1 : 0;
            }
        }
        assertThat(created).isEqualTo(1);
        assertThat(warehouse().resolve("db.db/race")).isDirectory();
    }
}
