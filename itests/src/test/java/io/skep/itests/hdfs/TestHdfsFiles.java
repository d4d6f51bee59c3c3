package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.FileInput;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.HadoopSettings;
import io.skep.storage.table.FileVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks the contract of the file-system abstraction on HDFS. */
@ExtendWith(SharedHdfsServer.class)
@Timeout(600)
final class TestHdfsFiles {
    private static final int FOLDERS = 1000;

    private final HadoopProcess hadoop;
    private final HadoopFileSystem files;
    private final DistributedFileSystem hdfs;
    private final String folder;

    TestHdfsFiles(HdfsServer server, TestInfo test) throws IOException {
        this.hadoop = server.hadoop();
        this.files = new HadoopFileSystem(HadoopSettings.of(HdfsServer.settings(hadoop)));
        this.hdfs = (DistributedFileSystem) hadoop.client();
        this.folder =
                hadoop.uri() + "/seam/" + test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void close() throws IOException {
        hdfs.delete(new Path(folder), true);
        hdfs.close();
    }

    @Test
    void readsAtPositions() throws IOException {
        write("f", "0123456789");
        try (FileInput in = files.open(files.status(folder + "/f").version())) {
            byte[] bytes = new byte[4];
            in.readFully(5, bytes, 1, 3);
            in.readFully(0, bytes, 0, 1);
            assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("0567");
            assertThat(in.length()).isEqualTo(10);
        }
    }

    /** Both files have the same length and time, so only the NameNode's file ID distinguishes them. */
    @Test
    void aRewrittenFileIsAnotherOne() throws IOException {
        write("f", "old");
        FileEntry old = files.status(folder + "/f");
        assertThat(files.status(folder + "/f")).isEqualTo(old);
        assertThat(files.list(folder)).containsExactly(old);
        hdfs.delete(new Path(folder + "/f"), false);
        write("f", "new");
        hdfs.setTimes(new Path(folder + "/f"), old.version().modificationTime(), -1);
        FileVersion rewritten = files.status(folder + "/f").version();
        assertThat(rewritten.modificationTime()).isEqualTo(old.version().modificationTime());
        assertThat(rewritten.length()).isEqualTo(old.version().length());
        assertThat(rewritten.identity()).isNotEqualTo(old.version().identity());
        assertThat(error(() -> files.open(old.version()))).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        files.verify(rewritten);
    }

    @Test
    void nothingIsRenamedOntoSomething() throws Exception {
        write("a", "a");
        write("b", "b");
        files.makeFolder(folder + "/c");
        assertThat(error(() -> files.rename(folder + "/a", folder + "/b")))
                .isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        assertThat(error(() -> files.rename(folder + "/a", folder + "/c")))
                .isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
        assertThat(error(() -> files.rename(folder + "/nothing", folder + "/d")))
                .isEqualTo(StandardErrorCode.MISSING_FILE);
        assertThat(files.listFiles(folder)).extracting(FileEntry::name).containsExactly("a", "b");
        files.rename(folder + "/a", folder + "/c/a");
        assertThat(files.listFiles(folder)).extracting(FileEntry::name).containsExactly("b", "a");
    }

    /** Of several files that are renamed to one name, exactly one gets it, and no file is lost. */
    @Test
    void oneOfManyGetsAName() throws Exception {
        int count = 8;
        for (int i = 0; i < count; i++) {
            write("from" + i, "content " + i);
        }
        List<Future<Boolean>> renamed = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                String from = folder + "/from" + i;
                renamed.add(threads.submit(() -> {
                    try {
                        files.rename(from, folder + "/to");
                        return true;
                    } catch (SkepException e) {
                        return false;
                    }
                }));
            }
        }
        int winners = 0;
        for (Future<Boolean> one : renamed) {
            winners += one.get() ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
        assertThat(files.list(folder)).hasSize(count);
    }

    @Test
    void manyFoldersAreListedInFewCalls() throws Exception {
        List<String> folders = new ArrayList<>();
        for (int i = 0; i < FOLDERS; i++) {
            folders.add(folder + "/p=" + i);
            hdfs.mkdirs(new Path(folder + "/p=" + i));
        }
        write("p=3/f", "3");
        write("p=3/.hidden", "");
        write("p=3/_tmp/f", "");
        write("p=7/below/g", "seven");
        write("p=7/a", "7");
        write("p=999/f", "999");
        folders.add(folder + "/nothing");
        folders.add(folder + "/p=3/f");
        folders.add(folder + "/p=7");
        long before = calls();
        List<List<FileEntry>> found = files.listFiles(folders);
        long called = calls() - before;
        assertThat(found).hasSize(folders.size());
        for (int i : List.of(0, 3, 7, 999, FOLDERS, FOLDERS + 1, FOLDERS + 2)) {
            assertThat(found.get(i)).as(folders.get(i)).isEqualTo(files.listFiles(folders.get(i)));
        }
        assertThat(found.stream().mapToInt(List::size).sum()).isEqualTo(7);
        // One call for each hundred folders, and one for the level below.
        assertThat(called).isBetween(1L, 15L);
    }

    /**
     * Returns the number of client calls that list folders or read the status of files, as the NameNode counts them.
     */
    private long calls() throws IOException, InterruptedException {
        return hadoop.calls("GetListing") + hadoop.calls("GetBatchedListing") + hadoop.calls("GetFileInfo");
    }

    @Test
    void aFullQuotaIsSaid() throws IOException {
        files.makeFolder(folder);
        hdfs.setQuota(new Path(folder), 2, HdfsConstants.QUOTA_DONT_SET);
        write("one", "1");
        assertThat(error(() -> write("two", "2"))).isEqualTo(StandardErrorCode.DISK_FULL);
        assertThat(error(() -> files.makeFolder(folder + "/three"))).isEqualTo(StandardErrorCode.DISK_FULL);
        hdfs.setQuota(new Path(folder), HdfsConstants.QUOTA_RESET, 1000);
        assertThat(error(() -> write("large", "x".repeat(5000)))).isEqualTo(StandardErrorCode.DISK_FULL);
    }

    @Test
    void safeModeIsSaid() throws IOException {
        write("f", "1");
        hdfs.setSafeMode(SafeModeAction.ENTER);
        try {
            assertThat(files.list(folder)).hasSize(1);
            SkepException error = catchThrowableOfType(SkepException.class, () -> files.makeFolder(folder + "/safe"));
            assertThat(error.code()).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
            assertThat(error.hint()).hasValueSatisfying(hint -> assertThat(hint).contains("safe mode"));
        } finally {
            hdfs.setSafeMode(SafeModeAction.LEAVE);
        }
        files.makeFolder(folder + "/safe");
    }

    @Test
    void foreignFoldersAreRefused() throws Exception {
        files.makeFolder(folder);
        UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
        StandardErrorCode code = nobody.doAs(
                (PrivilegedExceptionAction<StandardErrorCode>) () -> error(() -> files.makeFolder(folder + "/mine")));
        assertThat(code).isEqualTo(StandardErrorCode.ACCESS_DENIED);
    }

    private void write(String name, String text) throws IOException {
        try (OutputStream out = files.create(folder + "/" + name)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static StandardErrorCode error(Action action) {
        return catchThrowableOfType(SkepException.class, action::run).code();
    }
}
