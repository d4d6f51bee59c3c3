package io.skep.tez.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The files of a query that runs in containers, in the cluster's file system: its plan, the splits of its tasks, jars
 * of functions, and its result. The folder belongs to the query. It is inside the folder of the Tez session, which is
 * deleted with the session at the latest.
 */
public final class QueryFolder {
    private static final FsPermission OWNER_ONLY = new FsPermission("700");
    private static final String PLAN = "plan";
    private static final String SPLITS = "splits";
    private static final String RESULT = "result";

    private final FileContext files;
    private final Path folder;

    public QueryFolder(Configuration configuration, Path folder) {
        this.folder = folder;
        try {
            this.files = FileContext.getFileContext(folder.toUri(), configuration);
        } catch (IOException e) {
            throw failed("cannot be reached", e);
        }
    }

    public Path path() {
        return folder;
    }

    /** Writes the files that tasks read. */
    public void create(byte[] plan, byte[] splits) {
        try {
            files.mkdir(folder, OWNER_ONLY, true);
            write(PLAN, plan);
            write(SPLITS, splits);
        } catch (IOException e) {
            throw failed("cannot be written", e);
        }
    }

    private void write(String name, byte[] content) throws IOException {
        try (OutputStream out = files.create(new Path(folder, name), EnumSet.of(CreateFlag.CREATE))) {
            out.write(content);
        }
    }

    /**
     * Uploads files that the plan names.
     *
     * @return their names in the folder
     */
    public Map<String, String> send(List<String> locations) {
        Map<String, String> names = new HashMap<>();
        for (String location : locations) {
            java.nio.file.Path local = local(location);
            String name = "file-" + names.size() + "-" + local.getFileName();
            try (OutputStream out = files.create(new Path(folder, name), EnumSet.of(CreateFlag.CREATE))) {
                Files.copy(local, out);
            } catch (IOException e) {
                throw new SkepException(
                        StandardErrorCode.MISSING_FILE, "the file " + location + " cannot be sent: " + e, e);
            }
            names.put(location, name);
        }
        return names;
    }

    private static java.nio.file.Path local(String location) {
        return location.startsWith("file:")
                ? java.nio.file.Path.of(URI.create(location))
                : java.nio.file.Path.of(location);
    }

    public byte[] plan() {
        try (FSDataInputStream in = files.open(new Path(folder, PLAN))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw failed("cannot be read", e);
        }
    }

    /** Reads a part of the file of splits. */
    public byte[] splits(long offset, int length) {
        byte[] bytes = new byte[length];
        try (FSDataInputStream in = files.open(new Path(folder, SPLITS))) {
            in.readFully(offset, bytes);
            return bytes;
        } catch (IOException e) {
            throw failed("cannot be read", e);
        }
    }

    /** Copies one of the uploaded files to this machine. */
    public void fetch(String name, java.nio.file.Path target) {
        try (FSDataInputStream in = files.open(new Path(folder, name));
                OutputStream out = Files.newOutputStream(target)) {
            in.transferTo(out);
        } catch (IOException e) {
            throw failed("cannot be read", e);
        }
    }

    /** Writes a task's rows to the result. */
    public interface Rows {
        void writeTo(DataOutputStream out) throws IOException;
    }

    /**
     * Writes the result as a whole or not at all. Of two attempts, the last one counts. Fails when the query has ended,
     * because its folder is deleted then.
     */
    public void writeResult(int attempt, Rows rows) throws IOException {
        Path partial = new Path(folder, RESULT + "-" + attempt);
        EnumSet<CreateFlag> create = EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE);
        Options.CreateOpts alone = Options.CreateOpts.donotCreateParent();
        try (DataOutputStream out = new DataOutputStream(files.create(partial, create, alone))) {
            rows.writeTo(out);
        }
        files.rename(partial, new Path(folder, RESULT), Options.Rename.OVERWRITE);
    }

    /** Opens the result at its beginning. */
    public Result openResult() {
        try {
            return new Result(files.open(new Path(folder, RESULT)));
        } catch (IOException e) {
            throw failed("cannot be read", e);
        }
    }

    /** The rows of a result, for one reader. */
    public static final class Result implements AutoCloseable {
        private final DataInputStream in;

        private Result(DataInputStream in) {
            this.in = in;
        }

        /** Returns the next rows, or nothing at the end. */
        public Optional<Batch> next() {
            try {
                return PageFrames.read(in);
            } catch (IOException e) {
                throw new SkepException(
                        StandardErrorCode.FILE_SYSTEM_ERROR, "the query's result cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new SkepException(
                        StandardErrorCode.FILE_SYSTEM_ERROR, "the query's result cannot be closed: " + e, e);
            }
        }
    }

    public void delete() {
        try {
            files.delete(folder, true);
        } catch (FileNotFoundException gone) {
            // The folder was deleted with its session.
            return;
        } catch (IOException e) {
            throw failed("cannot be deleted", e);
        }
    }

    private SkepException failed(String what, IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR,
                "the query's folder " + folder + " " + what + ": " + e.getMessage(),
                e);
    }
}
