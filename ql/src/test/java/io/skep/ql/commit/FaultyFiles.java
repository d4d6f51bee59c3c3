package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.file.FileKey;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Files whose changes are counted, and fail from one of them on. Belongs to one thread. */
final class FaultyFiles implements TableFiles {
    /** How changes fail. */
    enum Fault {
        /** One change fails, the next ones do not. */
        ONCE,
        /** The file system is away until it is mended. */
        AWAY,
        /** The process dies before the change. */
        DEATH
    }

    private final TableFiles files;
    private Optional<Fault> fault = Optional.empty();
    private int left;
    private boolean isReached;

    FaultyFiles(TableFiles files) {
        this.files = files;
    }

    /** @param change the number of the change that fails, from 0 */
    void fail(Fault how, int change) {
        fault = Optional.of(how);
        left = change;
        isReached = false;
    }

    /** Whether the change that was to fail came. */
    boolean isReached() {
        return isReached;
    }

    void repair() {
        fault = Optional.empty();
    }

    private void change(Runnable work) {
        boolean isFailing = fault.isPresent() && (left == 0 || left < 0 && fault.get() == Fault.AWAY);
        left--;
        if (!isFailing) {
            work.run();
            return;
        }
        isReached = true;
        switch (fault.orElseThrow()) {
            case ONCE, AWAY ->
                throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "the file system fails here");
            case DEATH -> throw new AssertionError("the process dies here");
        }
    }

    @Override
    public List<Split> splits(Table table, SplitEnumerator.Seen seen) {
        return files.splits(table, seen);
    }

    @Override
    public List<Split> splits(Table table, List<Partition> partitions, SplitEnumerator.Seen seen) {
        return files.splits(table, partitions, seen);
    }

    @Override
    public String qualified(String path) {
        return files.qualified(path);
    }

    @Override
    public String local(String path) {
        return files.local(path);
    }

    @Override
    public boolean exists(String path) {
        return files.exists(path);
    }

    @Override
    public void makeDirectory(String path) {
        change(() -> files.makeDirectory(path));
    }

    @Override
    public void delete(String path) {
        change(() -> files.delete(path));
    }

    @Override
    public void discard(String path) {
        change(() -> files.discard(path));
    }

    @Override
    public List<TableFile> files(String path) {
        return files.files(path);
    }

    @Override
    public List<String> folders(String path) {
        return files.folders(path);
    }

    @Override
    public boolean movable(String from, String to) {
        return files.movable(from, to);
    }

    @Override
    public void move(String from, String to) {
        change(() -> files.move(from, to));
    }

    @Override
    public byte[] head(String path, int count) {
        return files.head(path, count);
    }

    @Override
    public void copy(String from, String to) {
        change(() -> files.copy(from, to));
    }

    @Override
    public Optional<FileKey> key(String path) {
        return files.key(path);
    }

    @Override
    public Set<String> names(String folder) {
        return files.names(folder);
    }

    @Override
    public void force(String path) {
        change(() -> files.force(path));
    }

    @Override
    public void discard(String path, String former) {
        change(() -> files.discard(path, former));
    }

    @Override
    public void deleteEmpty(String folder) {
        change(() -> files.deleteEmpty(folder));
    }
}
