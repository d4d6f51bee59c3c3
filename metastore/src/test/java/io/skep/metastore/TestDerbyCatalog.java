package io.skep.metastore;

import io.skep.metastore.testing.TestingMetastore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDerbyCatalog implements CatalogContract {
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
    public Catalog catalog() {
        return metastore.metastore().uncached();
    }

    @Override
    public Path warehouse() {
        return metastore.warehouse();
    }

    @Override
    public void clear() {
        TestingMetastore.clear(catalog());
    }
}
