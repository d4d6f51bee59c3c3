package io.skep.storage.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.TrashPolicy;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves files to Hadoop's trash. The file system's own trash comes first: on HDFS that of the user or of the encryption
 * zone.
 */
final class TrashCan {
    private static final Logger LOG = LoggerFactory.getLogger(TrashCan.class);

    private static final String INTERVAL = "fs.trash.interval";

    private static final int TRIES = 2;
    private static final FsPermission ONLY_USER = new FsPermission(FsAction.ALL, FsAction.NONE, FsAction.NONE);

    private TrashCan() {}

    /**
     * Moves a file to the location in the trash that belongs to another path. As in Hadoop, a name that already exists
     * there gets the time appended. Returns false when there is no trash, or the trash does not accept the file.
     */
    static boolean moveToTrash(FileSystem files, Path path, Path former, Configuration configuration) {
        try {
            long interval = files.getServerDefaults(path).getTrashInterval();
            if (configuration.getFloat(INTERVAL, 0) <= 0 && interval <= 0) {
                return false;
            }
            Configuration copy = new Configuration(configuration);
            if (interval > 0) {
                copy.setLong(INTERVAL, interval);
            }
            Path trash = TrashPolicy.getInstance(copy, files).getCurrentTrashDir(former);
            Path target = Path.mergePaths(trash, former);
            for (int i = 0; i < TRIES; i++) {
                // Hadoop renames the trash from time to time, together with its folders.
                if (files.mkdirs(target.getParent(), ONLY_USER) && files.rename(path, free(files, target))) {
                    return true;
                }
            }
            return false;
        } catch (FileNotFoundException e) {
            return false;
        } catch (IOException e) {
            LOG.warn("{} is deleted, since the trash does not take it: {}", former, e.getMessage());
            return false;
        }
    }

    private static Path free(FileSystem files, Path target) throws IOException {
        return files.exists(target) ? new Path(target.toString() + System.currentTimeMillis()) : target;
    }

    /**
     * Returns false when there is no trash, or it does not accept the path. As in Hive, the caller must then delete the
     * path.
     */
    static boolean moveToTrash(FileSystem files, Path path, Configuration configuration) {
        try {
            // Hadoop checks these first as well, but then copies all settings. This check avoids the copy.
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
