package io.skep.storage.file;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file system that identifies its files by entity tags, or by handles as HDFS does. */
final class TaggedFiles extends RawLocalFileSystem {
    boolean handles = true;

    FileStatus tagged(java.nio.file.Path file, String tag) {
        return new Tagged(new Path(file.toUri()), tag);
    }

    /** @param id the id that {@link #createPathHandle} returns */
    FileStatus plain(java.nio.file.Path file, long id) {
        return new FileStatus(4, false, 1, 1, 1_000_000 + id, new Path(file.toUri()));
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) {
        return handles;
    }

    @Override
    protected PathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
        return () -> ByteBuffer.allocate(8).putLong(0, status.getModificationTime());
    }

    private static final class Tagged extends FileStatus implements EtagSource {
        private static final long serialVersionUID = 1L;

        private final String tag;

        Tagged(Path path, String tag) {
            super(4, false, 1, 1, 1_000_000, path);
            this.tag = tag;
        }

        @Override
        public String getEtag() {
            return tag;
        }
    }
}
