package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Collection;
import javax.jdo.PersistenceManagerFactory;
import org.apache.hadoop.hive.metastore.model.MDelegationToken;
import org.datanucleus.api.jdo.JDOPersistenceManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestStoreTransaction {
    private DerbyStores database;
    private StorePool stores;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = new DerbyStores(folder.resolve("metastore"), (_, _) -> {});
        stores = database.pool();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void changesBelongToTheTransaction() {
        HiveDelegationTokens tokens = new HiveDelegationTokens(stores);
        assertThat(tokens.addToken("t", "first")).isTrue();
        assertThatThrownBy(() -> stores.write("fail", store -> {
                    MDelegationToken token = (MDelegationToken) StoreTransaction.of(store)
                            .newQuery("SELECT UNIQUE FROM " + MDelegationToken.class.getName())
                            .execute();
                    token.setTokenStr("second");
                    throw new IllegalStateException("failed");
                }))
                .isInstanceOf(SkepException.class);
        assertThat(tokens.token("t")).contains("first");
        assertThat(tokens.replaceToken("t", "third")).isTrue();
        assertThat(tokens.token("t")).contains("third");
    }

    @Test
    void nothingIsOpenedForAWork() throws Exception {
        HiveDelegationTokens tokens = new HiveDelegationTokens(stores);
        tokens.addToken("t", "first");
        PersistenceManagerFactory factory = stores.write(
                "find the factory", store -> StoreTransaction.of(store).getPersistenceManagerFactory());
        int before = managers(factory);
        for (int i = 0; i < 10; i++) {
            assertThat(tokens.replaceToken("t", "token " + i)).isTrue();
            assertThat(HiveFolders.all(stores)).isEmpty();
        }
        assertThat(managers(factory)).isEqualTo(before);
    }

    /** Returns the number of open managers, which the library does not tell. */
    private static int managers(PersistenceManagerFactory factory) throws ReflectiveOperationException {
        Field open = JDOPersistenceManagerFactory.class.getDeclaredField("pmCache");
        open.setAccessible(true);
        return ((Collection<?>) open.get(factory)).size();
    }
}
