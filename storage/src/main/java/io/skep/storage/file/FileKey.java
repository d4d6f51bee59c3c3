package io.skep.storage.file;

/**
 * Identifies a file's content across renames. Two keys are equal only for the same file, as far as the file system can
 * tell. They compare length, modification time and the file system's own file id.
 *
 * @param folder whether it is a folder; for folders only {@code id} is compared
 * @param modified nanoseconds since 1970 on local disks, milliseconds elsewhere
 * @param id inode of a local file, file id on HDFS, entity tag of an object store; empty where the file system has no
 *     such id
 */
public record FileKey(boolean folder, long length, long modified, String id) {
    public FileKey {
        if (folder) {
            length = 0;
            modified = 0;
        }
    }
}
