package io.skep.storage.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Finds the keys of files, and forces local files to disk. */
final class FileKeys {
    private static final String ATTRIBUTES = "unix:dev,ino,size,lastModifiedTime,isDirectory";

    private FileKeys() {}

    /**
     * Returns the key of a local file, folder or link. A link is not followed, because a rename moves the link itself.
     */
    static Optional<FileKey> local(Path path) throws IOException {
        try {
            Map<String, Object> found = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new FileKey(
                    LocalStatus.folder(found),
                    LocalStatus.number(found, "size"),
                    LocalStatus.time(found, "lastModifiedTime").to(TimeUnit.NANOSECONDS),
                    LocalStatus.number(found, "dev") + ":" + LocalStatus.number(found, "ino")));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return Optional.empty();
        }
    }

    static Optional<FileKey> hadoop(FileSystem files, org.apache.hadoop.fs.Path path) throws IOException {
        try {
            FileStatus status = files.getFileStatus(path);
            return Optional.of(
                    new FileKey(status.isDirectory(), status.getLen(), status.getModificationTime(), id(status)));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private static String id(FileStatus status) {
        return switch (status) {
            case HdfsFileStatus hdfs -> Long.toString(hdfs.getFileId());
            case EtagSource source when source.getEtag() != null -> source.getEtag();
            default -> "";
        };
    }

    /** Forces a file's bytes, or a folder's entries, to disk. Does nothing when the path does not exist. */
    static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (NoSuchFileException e) {
            // The file was moved or deleted in the meantime.
        }
    }
}
