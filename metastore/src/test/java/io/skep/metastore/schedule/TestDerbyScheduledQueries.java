package io.skep.metastore.schedule;

import io.skep.metastore.testing.TestingMetastore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Derby has one server, whose threads poll at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDerbyScheduledQueries implements ScheduledQueryContract {
    private TestingMetastore metastore;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    @Override
    public ScheduledQueryStore one() {
        return metastore.metastore().scheduledQueries();
    }

    @Override
    public ScheduledQueryStore other() {
        return one();
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:derby:" + metastore.folder().resolve("metastore"));
    }
}
