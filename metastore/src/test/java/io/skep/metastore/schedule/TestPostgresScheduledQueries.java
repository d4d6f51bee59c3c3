package io.skep.metastore.schedule;

import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.local.LocalMetastore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPostgresScheduledQueries implements ScheduledQueryContract {
    private EmbeddedPostgres postgres;
    private DataDirectory data;
    private LocalMetastore one;
    private LocalMetastore other;

    @BeforeAll
    void open(@TempDir Path folder) throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        data = DataDirectory.open(folder);
        MetastoreConfig config = MetastoreConfig.of(
                Map.of("javax.jdo.option.ConnectionURL", postgres.getJdbcUrl("postgres", "postgres")), folder);
        one = LocalMetastore.open(config, data);
        other = LocalMetastore.open(config, data);
    }

    @AfterAll
    void close() throws IOException {
        other.close();
        one.close();
        data.close();
        postgres.close();
    }

    @Override
    public ScheduledQueryStore one() {
        return one.scheduledQueries();
    }

    @Override
    public ScheduledQueryStore other() {
        return other.scheduledQueries();
    }

    @Override
    public Connection connect() throws SQLException {
        return postgres.getPostgresDatabase().getConnection();
    }
}
