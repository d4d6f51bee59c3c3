package io.skep.ql.commit;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.physical.TableLayouts;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.FileInput;
import io.skep.storage.file.FileKey;
import io.skep.storage.file.FilePermissions;
import io.skep.storage.file.FileShell;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.serde.container.RcFileConcatenation;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Table files on a file system. */
public final class StoredTableFiles implements TableFiles {
    private static final int COPY_BUFFER = 1 << 20;
    private static final Pattern FILE_SYSTEM = Pattern.compile("([^/:]+:)(?://([^/]*))?");

    private final StorageFileSystem files;
    private final SplitEnumerator splits;

    public StoredTableFiles(StorageFileSystem files, SplitEnumerator splits) {
        this.files = files;
        this.splits = splits;
    }

    @Override
    public List<Split> splits(Table table, Optional<TableSnapshot> snapshot, SplitEnumerator.Seen seen) {
        StorageDescriptor storage = table.storage();
        SplitEnumerator.Place place = new SplitEnumerator.Place(
                storage.location(),
                TableLayouts.format(storage, table),
                TableLayouts.columns(storage),
                List.of(),
                snapshot);
        return splits.splits(List.of(place), seen);
    }

    @Override
    public List<Split> splits(
            Table table, List<Partition> partitions, Optional<TableSnapshot> snapshot, SplitEnumerator.Seen seen) {
        List<SplitEnumerator.Place> places = new ArrayList<>(partitions.size());
        StorageDescriptor last = table.storage();
        TableFormat format = TableLayouts.format(last, table);
        List<Column> columns = TableLayouts.columns(last);
        for (Partition partition : partitions) {
            StorageDescriptor storage = TableLayouts.describing(partition, table);
            // In most cases all partitions have the same format and columns.
            if (!storage.format().equals(last.format())) {
                format = TableLayouts.format(storage, table);
            }
            if (!storage.columns().equals(last.columns())
                    || !storage.format().serde().equals(last.format().serde())) {
                columns = TableLayouts.columns(storage);
            }
            last = storage;
            List<Optional<String>> values = new ArrayList<>();
            for (int key = 0; key < partition.values().size(); key++) {
                String value = partition.values().get(key);
                boolean isNull = PartitionPruner.isNull(
                        value, table.partitionKeys().get(key).type());
                values.add(isNull ? Optional.empty() : Optional.of(value));
            }
            places.add(new SplitEnumerator.Place(partition.storage().location(), format, columns, values, snapshot));
        }
        return splits.splits(places, seen);
    }

    @Override
    public String qualified(String path) {
        return hasScheme(path) ? path : files.qualified(absolute(path));
    }

    @Override
    public String local(String path) {
        return hasScheme(path) ? path : "file:" + absolute(path);
    }

    private static boolean hasScheme(String path) {
        return path.matches("[A-Za-z][A-Za-z0-9+.-]*:.*");
    }

    private static String absolute(String path) {
        if (!path.startsWith("/")) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the path '" + path + "' is not absolute");
        }
        return Path.of(path).normalize().toString();
    }

    @Override
    public boolean exists(String path) {
        return files.find(path).isPresent();
    }

    @Override
    public void makeDirectory(String path) {
        files.makeFolder(path);
    }

    @Override
    public void create(String path, byte[] content) {
        try (OutputStream out = files.create(path)) {
            out.write(content);
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot write " + path, e);
        }
    }

    @Override
    public void delete(String path) {
        files.delete(path);
    }

    @Override
    public void discard(String path) {
        files.discard(path);
    }

    @Override
    public List<TableFile> files(String path) {
        return files.listFiles(path).stream()
                .map(FileEntry::version)
                .map(version -> new TableFile(version.path(), version.length(), version.modificationTime()))
                .toList();
    }

    @Override
    public List<String> folders(String path) {
        return files.list(path).stream()
                .filter(FileEntry::folder)
                .map(FileEntry::path)
                .toList();
    }

    @Override
    public boolean movable(String from, String to) {
        return fileSystem(from).equals(fileSystem(to))
                && (!from.startsWith("file:") || device(from).equals(device(to)));
    }

    /** Returns the local disk that contains a path, or will contain it. */
    private String device(String path) {
        for (String at = path; at.indexOf('/') >= 0; at = at.substring(0, at.lastIndexOf('/'))) {
            Optional<FileKey> key = files.key(at);
            if (key.isPresent()) {
                return key.get().id().substring(0, key.get().id().indexOf(':') + 1);
            }
        }
        return "";
    }

    private static String fileSystem(String path) {
        Matcher matcher = FILE_SYSTEM.matcher(path);
        return matcher.lookingAt() ? matcher.group(1) + "//" + Objects.requireNonNullElse(matcher.group(2), "") : "";
    }

    @Override
    public void move(String from, String to) {
        files.rename(from, to);
    }

    @Override
    public boolean storesRowIds(String path, Table table) {
        StorageDescriptor storage = table.storage();
        return files.find(path)
                .filter(file -> splits.storesRowIds(
                        file.version(), TableLayouts.format(storage, table), TableLayouts.columns(storage)))
                .isPresent();
    }

    @Override
    public List<Column> describedColumns(String path, TableFormat format) {
        FileEntry file = files.find(path)
                .filter(found -> !found.folder())
                .orElseThrow(() -> new SkepException(StandardErrorCode.MISSING_FILE, "there is no file " + path));
        return splits.describedColumns(file.version(), format);
    }

    @Override
    public FileShell shell() {
        return files.shell();
    }

    @Override
    public byte[] head(String path, int count) {
        try (FileInput in = files.open(path)) {
            byte[] bytes = new byte[(int) Math.min(count, in.length())];
            in.readFully(0, bytes, 0, bytes.length);
            return bytes;
        }
    }

    @Override
    public void copy(String from, String to) {
        byte[] buffer = new byte[COPY_BUFFER];
        try (FileInput in = files.open(from);
                OutputStream out = files.create(to)) {
            for (long at = 0; at < in.length(); ) {
                Interruption.check();
                int count = (int) Math.min(buffer.length, in.length() - at);
                in.readFully(at, buffer, 0, count);
                out.write(buffer, 0, count);
                at += count;
            }
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot copy " + from + " to " + to, e);
        }
    }

    @Override
    public boolean isConcatenable(List<String> rcFiles) {
        return new RcFileConcatenation(files).isPossible(rcFiles);
    }

    @Override
    public void concatenate(List<String> rcFiles, String to) {
        new RcFileConcatenation(files).write(rcFiles, to);
    }

    @Override
    public Optional<FileKey> key(String path) {
        return files.key(path);
    }

    @Override
    public Set<String> names(String folder) {
        return Set.copyOf(files.names(folder));
    }

    @Override
    public void force(String path) {
        files.force(path);
    }

    @Override
    public void discard(String path, String former) {
        files.discard(path, former);
    }

    @Override
    public List<String> missingFolders(String folder) {
        List<String> missing = new ArrayList<>();
        for (String at = folder;
                FilePermissions.isBelowRoot(at) && !exists(at);
                at = at.substring(0, at.lastIndexOf('/'))) {
            missing.addFirst(at);
        }
        return missing;
    }

    @Override
    public Optional<String> owner(String path) {
        return files.owner(path);
    }

    @Override
    public void give(String path, String user) {
        files.give(path, user);
    }

    @Override
    public void deleteEmpty(String folder) {
        files.deleteEmpty(folder);
    }
}
