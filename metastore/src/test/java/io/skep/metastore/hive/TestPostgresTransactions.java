package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.SilenceLimits;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPostgresTransactions implements TransactionContract, TransactionRecordsContract, CompactionContract {
    private EmbeddedPostgres postgres;
    private TestingMetastore metastore;
    private HiveTransactions other;
    private MetastoreConfig config;

    @BeforeAll
    void open() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        Map<String, String> site = Map.of(
                "javax.jdo.option.ConnectionURL", url(),
                "javax.jdo.option.ConnectionUserName", "postgres",
                "javax.jdo.option.ConnectionPassword", "postgres");
        metastore = TestingMetastore.open(site);
        config = MetastoreConfig.of(site, metastore.folder());
        other = new HiveTransactions(config, url());
    }

    @Override
    public String url() {
        // As the server has it: the library reconnects the whole process when the URL differs.
        return SilenceLimits.in(postgres.getJdbcUrl("postgres", "postgres"));
    }

    @AfterAll
    void close() throws IOException {
        other.close();
        metastore.close();
        postgres.close();
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

    @Test
    void connectionsEndWithTheServer() throws SQLException {
        assertThat(connections("skep_txn_test")).isZero();
        HiveTransactions third = new HiveTransactions(config, url() + "&ApplicationName=skep_txn_test");
        assertThat(connections("skep_txn_test")).as("before its use").isZero();
        third.abort(third.open(ALICE, TransactionKind.DEFAULT));
        assertThat(connections("skep_txn_test")).isPositive();
        third.close();
        Polling.await("connections to end").until(() -> connections("skep_txn_test") == 0);
    }

    private long connections(String application) throws SQLException {
        String count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + application + "'";
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(count)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
