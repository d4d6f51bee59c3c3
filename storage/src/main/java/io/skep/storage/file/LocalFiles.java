package io.skep.storage.file;

import org.apache.hadoop.fs.LocalFileSystem;

/**
 * Hadoop's local file system without checksum files beside the files and without forked commands; to be named as {@code
 * fs.file.impl}.
 */
public final class LocalFiles extends LocalFileSystem {
    public LocalFiles() {
        super(new RawLocalFiles());
        setWriteChecksum(false);
        setVerifyChecksum(false);
    }
}
