package io.skep.ql.commit;

import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import org.apache.hadoop.conf.Configuration;

/** The objects that two servers of one process share: a metastore, the marks of each server in it, and files. */
record TwoServers(TestingMetastore metastore, LeaseStore first, LeaseStore second, TableFiles files)
        implements AutoCloseable {
    static TwoServers open() {
        TestingMetastore metastore = TestingMetastore.open();
        HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
        return new TwoServers(
                metastore,
                metastore.commitMarks("one"),
                metastore.commitMarks("other"),
                new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20)));
    }

    @Override
    public void close() {
        second.close();
        first.close();
        metastore.close();
    }
}
