package io.skep.itests.hdfs;

import io.skep.itests.SharedSite;
import java.util.Map;

/** Shares the one {@link HdfsServer} of the run. */
public final class SharedHdfsServer extends SharedSite<HdfsServer> {
    public SharedHdfsServer() {
        super(
                HdfsServer.class,
                () -> HdfsServer.start(Map.of()),
                hdfs -> hdfs.server().assertNothingLeft());
    }
}
