package io.skep.storage.file;

/**
 * Identifies a file's content across renames. Two keys are equal only for one and the same file, as far as the file
 * system tells: length and modification time, and what it numbers files by.
 *
 * @param folder whether it is a folder; then only {@code id} counts
 * @param modified nanoseconds since 1970 on local disks, milliseconds elsewhere
 * @param id inode of a local file, file id on HDFS, entity tag of an object store; empty where there is nothing of the
 *     kind
 */
public record FileKey(boolean folder, long length, long modified, String id) {
    public FileKey {
        if (folder) {
            length = 0;
            modified = 0;
        }
    }
}
