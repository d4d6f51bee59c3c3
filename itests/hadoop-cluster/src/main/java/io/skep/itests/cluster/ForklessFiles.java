package io.skep.itests.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FsConstants;

/** {@link ForklessFileSystem} as node managers ask for it: core-site.xml names this class, and Hadoop makes it. */
public final class ForklessFiles extends DelegateToFileSystem {
    /** As Hadoop calls it. */
    public ForklessFiles(URI uri, Configuration configuration) throws IOException, URISyntaxException {
        super(uri, new ForklessFileSystem(), configuration, FsConstants.LOCAL_FS_URI.getScheme(), false);
    }
}
