package io.skep.metastore.system;

import io.skep.metastore.Catalog;
import io.skep.metastore.testing.TestingMetastore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDerbySystemRows implements SystemRowsContract {
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
        return metastore.catalog();
    }

    @Override
    public SystemRowStore rows() {
        return metastore.metastore().systemRows();
    }
}
