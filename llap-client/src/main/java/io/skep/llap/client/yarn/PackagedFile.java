package io.skep.llap.client.yarn;

import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

/**
 * A file of a package, in a place where every node can fetch it.
 *
 * @param link its path in the container's folder
 * @param path its address in the cluster's file system
 * @param size in bytes; YARN detects a changed file by its size and time
 * @param modifiedMillis since 1970
 */
public record PackagedFile(String link, String path, long size, long modifiedMillis) {
    /** The folder of the class path in a container. */
    public static final String LIB = "lib/";

    /** The folder of settings in a container. */
    public static final String CONF = "conf";

    /** Returns the file as a resource for YARN. */
    public LocalResource resource() {
        return LocalResource.newInstance(
                URL.fromPath(new Path(URI.create(path))),
                LocalResourceType.FILE,
                LocalResourceVisibility.PRIVATE,
                size,
                modifiedMillis);
    }
}
