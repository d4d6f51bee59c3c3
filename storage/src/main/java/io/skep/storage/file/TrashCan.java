package io.skep.storage.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hadoop's trash, the file system's own first: on HDFS that of the user, or of the encryption zone. */
final class TrashCan {
    private static final Logger LOG = LoggerFactory.getLogger(TrashCan.class);

    private static final String INTERVAL = "fs.trash.interval";

    private TrashCan() {}

    /** False when there is no trash, or it does not take the path: then, as in Hive, the path is to be deleted. */
    static boolean takes(FileSystem files, Path path, Configuration configuration) {
        try {
            // What Hadoop looks at first, without the copy of all settings that it makes then.
            boolean wanted = configuration.getFloat(INTERVAL, 0) > 0
                    || files.getServerDefaults(path).getTrashInterval() > 0;
            return wanted && Trash.moveToAppropriateTrash(files, path, configuration);
        } catch (FileNotFoundException e) {
            return false;
        } catch (IOException e) {
            LOG.warn("{} is deleted, since the trash does not take it: {}", path, e.getMessage());
            return false;
        }
    }
}
