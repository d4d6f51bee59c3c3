package io.skep.metastore.system;

import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.local.LocalMetastore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPostgresSystemRows implements SystemRowsContract {
    private EmbeddedPostgres postgres;
    private DataDirectory data;
    private LocalMetastore metastore;

    @BeforeAll
    void open(@TempDir Path folder) throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        data = DataDirectory.open(folder);
        MetastoreConfig config = MetastoreConfig.of(
                Map.of("javax.jdo.option.ConnectionURL", postgres.getJdbcUrl("postgres", "postgres")), folder);
        metastore = LocalMetastore.open(config, data);
    }

    @AfterAll
    void close() throws IOException {
        metastore.close();
        data.close();
        postgres.close();
    }

    @Override
    public Catalog catalog() {
        return metastore.catalog();
    }

    @Override
    public SystemRowStore rows() {
        return metastore.systemRows();
    }
}
