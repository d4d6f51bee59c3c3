package io.skep.ql.commit;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.file.FileKey;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Files each of whose changes is a step that may fail. Belongs to one thread. */
final class FaultyFiles implements TableFiles {
    private final TableFiles files;
    private final StepFaults faults;

    FaultyFiles(TableFiles files, StepFaults faults) {
        this.files = files;
        this.faults = faults;
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
        faults.take(() -> files.makeDirectory(path));
    }

    @Override
    public void delete(String path) {
        faults.take(() -> files.delete(path));
    }

    @Override
    public void discard(String path) {
        faults.take(() -> files.discard(path));
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
        faults.take(() -> files.move(from, to));
    }

    @Override
    public byte[] head(String path, int count) {
        return files.head(path, count);
    }

    @Override
    public void copy(String from, String to) {
        faults.take(() -> files.copy(from, to));
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
        faults.take(() -> files.force(path));
    }

    @Override
    public void discard(String path, String former) {
        faults.take(() -> files.discard(path, former));
    }

    @Override
    public void deleteEmpty(String folder) {
        faults.take(() -> files.deleteEmpty(folder));
    }
}
