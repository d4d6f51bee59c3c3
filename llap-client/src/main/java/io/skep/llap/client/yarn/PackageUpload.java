package io.skep.llap.client.yarn;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;

/**
 * Uploads the files of a package to a place where YARN's nodes fetch them. A file is stored under the hash of its
 * content. So an existing file is not sent again, and a file in use never changes.
 */
public final class PackageUpload {
    private static final int PREFIX = 32;
    private static final int PARALLEL = 8;

    private final FileContext files;
    private final org.apache.hadoop.fs.Path folder;
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicInteger sentFiles = new AtomicInteger();

    /** @param folder where packages are kept; created if missing */
    public PackageUpload(FileContext files, org.apache.hadoop.fs.Path folder) {
        this.files = files;
        this.folder = folder;
    }

    /**
     * Sends the missing files.
     *
     * @param classPath jars, and folders of classes, which are sent as jars
     * @param conf contents of the files in the folder {@code conf}, by name
     * @return all files, those of the class path first and in its order
     */
    public List<PackagedFile> send(List<Path> classPath, Map<String, byte[]> conf) {
        List<Callable<PackagedFile>> work = new ArrayList<>();
        for (Path path : classPath) {
            String link = PackagedFile.LIB + String.format(Locale.ROOT, "%03d-", work.size()) + jarName(path);
            work.add(() -> Files.isDirectory(path) ? send(link, jar(path)) : send(link, path));
        }
        conf.forEach((name, content) -> work.add(() -> send(PackagedFile.CONF + "/" + name, content)));
        // Each file costs the NameNode several round trips.
        try (ExecutorService threads = Executors.newFixedThreadPool(PARALLEL)) {
            List<PackagedFile> sent = new ArrayList<>();
            for (Future<PackagedFile> one : work.stream().map(threads::submit).toList()) {
                sent.add(Uninterruptibles.getUninterruptibly(one));
            }
            return sent;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SkepException known
                    ? known
                    : new SkepException(StandardErrorCode.INTERNAL_ERROR, "cannot send the package: " + e, e);
        }
    }

    /** Describes what was sent, for people. */
    public String text() {
        return sentFiles + " files with " + (sentBytes.get() >> 20) + " mb sent to " + folder;
    }

    private static String jarName(Path path) {
        String name = String.valueOf(path.getFileName());
        return Files.isDirectory(path) ? name + ".jar" : name;
    }

    private PackagedFile send(String link, Path file) {
        try {
            String hash = prefix(MoreFiles.asByteSource(file).hash(Hashing.sha256()));
            Optional<PackagedFile> there = find(link, hash, Files.size(file));
            return there.isPresent() ? there.get() : write(link, hash, out -> Files.copy(file, out));
        } catch (IOException e) {
            throw failed(link, e);
        }
    }

    private PackagedFile send(String link, byte[] content) {
        try {
            String hash = prefix(Hashing.sha256().hashBytes(content));
            Optional<PackagedFile> there = find(link, hash, content.length);
            return there.isPresent() ? there.get() : write(link, hash, out -> out.write(content));
        } catch (IOException e) {
            throw failed(link, e);
        }
    }

    private interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private org.apache.hadoop.fs.Path place(String link, String hash) {
        return new org.apache.hadoop.fs.Path(
                new org.apache.hadoop.fs.Path(folder, hash), link.substring(link.lastIndexOf('/') + 1));
    }

    private Optional<PackagedFile> find(String link, String hash, long size) throws IOException {
        try {
            FileStatus status = files.getFileStatus(place(link, hash));
            return status.getLen() == size ? Optional.of(packaged(link, status)) : Optional.empty();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private PackagedFile write(String link, String hash, Content content) throws IOException {
        org.apache.hadoop.fs.Path target = place(link, hash);
        org.apache.hadoop.fs.Path partial =
                new org.apache.hadoop.fs.Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID());
        EnumSet<CreateFlag> create = EnumSet.of(CreateFlag.CREATE);
        try (OutputStream out = files.create(partial, create, Options.CreateOpts.createParent())) {
            content.writeTo(out);
        }
        files.rename(partial, target, Options.Rename.OVERWRITE);
        FileStatus status = files.getFileStatus(target);
        sentFiles.incrementAndGet();
        sentBytes.addAndGet(status.getLen());
        return packaged(link, status);
    }

    private static PackagedFile packaged(String link, FileStatus status) {
        return new PackagedFile(
                link, status.getPath().toUri().toString(), status.getLen(), status.getModificationTime());
    }

    private static String prefix(HashCode hash) {
        return hash.toString().substring(0, PREFIX);
    }

    /** Packs a folder as a jar. The same classes always give the same bytes: entries are sorted and have no times. */
    private static byte[] jar(Path folder) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes);
                Stream<Path> found = Files.walk(folder)) {
            for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(folder.relativize(file).toString());
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw failed(folder.toString(), e);
        }
        return bytes.toByteArray();
    }

    private static SkepException failed(String what, IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR,
                "cannot send " + what + " to the cluster's file system: " + e.getMessage(),
                e);
    }
}
