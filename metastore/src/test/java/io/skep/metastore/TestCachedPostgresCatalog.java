package io.skep.metastore;

import io.skep.metastore.testing.TestingMetastore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCachedPostgresCatalog implements CatalogContract {
    private EmbeddedPostgres postgres;
    private TestingMetastore metastore;

    @BeforeAll
    void open() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        metastore = TestingMetastore.open(Map.of(
                "javax.jdo.option.ConnectionURL", postgres.getJdbcUrl("postgres", "postgres"),
                "javax.jdo.option.ConnectionUserName", "postgres",
                "javax.jdo.option.ConnectionPassword", "postgres"));
    }

    @AfterAll
    void close() throws IOException {
        metastore.close();
        postgres.close();
    }

    @Override
    public Catalog catalog() {
        return metastore.catalog();
    }

    @Override
    public Path warehouse() {
        return metastore.warehouse();
    }

    @Override
    public void clear() {
        metastore.clear();
    }
}
