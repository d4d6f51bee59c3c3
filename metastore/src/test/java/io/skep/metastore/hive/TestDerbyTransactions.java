package io.skep.metastore.hive;

import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.TransactionStore;
import java.util.Map;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDerbyTransactions implements TransactionContract, TransactionRecordsContract, CompactionContract {
    private TestingMetastore metastore;
    private HiveTransactions other;
    private MetastoreConfig config;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        config = MetastoreConfig.of(Map.of(), metastore.folder());
        other = new HiveTransactions(config, url());
    }

    @Override
    public String url() {
        return "jdbc:derby:" + metastore.folder().resolve("metastore");
    }

    @AfterAll
    void close() {
        other.close();
        metastore.close();
    }

    @Override
    public TestingMetastore metastore() {
        return metastore;
    }

    @Override
    public MetastoreConfig config() {
        return config;
    }

    @Override
    public TransactionStore transactions() {
        return metastore.metastore().transactions();
    }

    @Override
    public TransactionStore other() {
        return other;
    }

    @Override
    public TxnStore hive() {
        return TxnUtils.getTxnStore(LibrarySettings.of(config, url()));
    }
}
