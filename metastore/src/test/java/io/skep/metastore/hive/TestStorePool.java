package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.jdo.JDODataStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which failures of a database are worth another try. Work throws them, since they are too rare to be waited for. */
final class TestStorePool {
    private final AtomicInteger runs = new AtomicInteger();
    private final List<Boolean> endings = new ArrayList<>();

    private DerbyStores open(Path folder) {
        return new DerbyStores(folder, (_, committed) -> endings.add(committed));
    }

    private int failFirst(RuntimeException failure) {
        if (runs.incrementAndGet() == 1) {
            throw failure;
        }
        return runs.get();
    }

    /** Returns what the library throws when a class fails within the database. */
    private static JDODataStoreException failureIn(String type) {
        RuntimeException cause = new ArrayIndexOutOfBoundsException("Index 20 out of bounds for length 19");
        cause.setStackTrace(new StackTraceElement[] {new StackTraceElement(type, "getSavedObject", null, -1)});
        return new JDODataStoreException("failed", new SQLException("Java exception", "XJ001", cause));
    }

    @Test
    void statementsThatDerbyCompilesMeanwhileRunAgain(@TempDir Path folder) {
        RuntimeException failure = failureIn("org.apache.derby.impl.sql.GenericPreparedStatement");
        try (DerbyStores stores = open(folder.resolve("metastore"))) {
            StorePool pool = stores.pool();
            pool.read("read", _ -> failFirst(failure));
            assertThat(runs).hasValue(2);
            runs.set(0);
            pool.write("write", _ -> failFirst(failure));
            assertThat(runs).hasValue(2);
            assertThat(endings).containsExactly(false, true);
        }
    }

    /** The library connects its one factory to the database of whichever pool has asked last. */
    @Test
    void poolsOfOneProcessReadTheirOwnDatabases(@TempDir Path folder) throws Exception {
        try (DerbyStores first = open(folder.resolve("first"));
                DerbyStores second = open(folder.resolve("second"))) {
            putOwner(first.pool(), "first");
            putOwner(second.pool(), "second");
            try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
                Future<Set<String>> ofFirst = executor.submit(() -> owners(first.pool()));
                Future<Set<String>> ofSecond = executor.submit(() -> owners(second.pool()));
                assertThat(ofFirst.get()).containsExactly("first");
                assertThat(ofSecond.get()).containsExactly("second");
            }
        }
    }

    private static void putOwner(StorePool pool, String name) {
        pool.write("write", store -> {
            store.addToken(name, "");
            return true;
        });
    }

    /** Returns what is read with stores that connect anew. Reads may fail: each pool closes the other one's stores. */
    private static Set<String> owners(StorePool pool) {
        Set<String> found = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            try {
                pool.read("read", store -> {
                    found.add(String.join(",", store.getAllTokenIdentifiers()));
                    return true;
                });
            } catch (SkepException e) {
                assertThat(e).hasMessageContaining("the metastore failed to read");
            }
        }
        return found;
    }

    @Test
    void otherFailuresAreTold(@TempDir Path folder) {
        try (DerbyStores stores = open(folder.resolve("metastore"))) {
            assertThatThrownBy(() -> stores.pool().read("read", _ -> failFirst(failureIn("org.example.Other"))))
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining("the metastore failed to read: Index 20");
            assertThat(runs).hasValue(1);
        }
    }
}
