package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server while it moves the files of an INSERT to their final places on HDFS. The next server finishes that
 * commit.
 */
@ExtendWith(SharedHdfsServer.class)
@Timeout(900)
final class TestKilledServerOnHdfs {
    private static final int PARTITIONS = 90;
    private static final String NUMBERS =
            "(SELECT posexplode(split(space(" + (PARTITIONS - 1) + "), ' ')) AS (i, e)) n";

    @Test
    void aCommitIsEndedByTheNextServer(HdfsServer shared, @TempDir Path folder) throws Exception {
        HadoopProcess hadoop = shared.hadoop();
        Path data = Files.createDirectories(folder.resolve("data"));
        Map<String, String> site = new HashMap<>(HdfsServer.settings(hadoop));
        site.put("hive.metastore.warehouse.dir", "/killed");
        try (ReleasedClient client = ReleasedClient.open();
                FileSystem hdfs = hadoop.client()) {
            ServerProcess first = ServerProcess.start(data, site);
            CompletableFuture<String> insert;
            try (Connection connection = client.connect(first.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (a INT) PARTITIONED BY (p INT) STORED AS ORC");
                insert = CompletableFuture.supplyAsync(() -> insert(client, first.url()));
                ServerProcess.await(() -> hasJournal(data) || insert.isDone());
                first.process().destroyForcibly().waitFor();
                assertThat(hasJournal(data))
                        .as("killed in mid-commit: %s", insert.join())
                        .isTrue();
            } catch (SQLException e) {
                // The error comes from closing a connection whose server is gone.
                assertThat(first.process().isAlive()).isFalse();
            }
            ServerProcess second = ServerProcess.start(data, site);
            try (Connection connection = client.connect(second.url());
                    Statement statement = connection.createStatement()) {
                assertThat(hasJournal(data)).isFalse();
                assertThat(leftovers(hdfs, new org.apache.hadoop.fs.Path("/killed")))
                        .isEmpty();
                assertThat(Queries.rows(statement, "SELECT count(DISTINCT p), sum(if(a = p, 1, 0)) FROM t"))
                        .containsExactly(PARTITIONS + " " + PARTITIONS);
                statement.execute("DROP TABLE t");
            } finally {
                second.process().destroy();
                assertThat(second.process().waitFor()).isIn(0, 143);
            }
        }
    }

    /** Runs the INSERT and returns its outcome. */
    private static String insert(ReleasedClient client, String url) {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO t PARTITION (p) SELECT i, i FROM " + NUMBERS);
            return "it was committed";
        } catch (SQLException e) {
            return e.toString();
        }
    }

    private static boolean hasJournal(Path data) {
        Path commits = data.resolve("commits");
        if (!Files.isDirectory(commits)) {
            return false;
        }
        try (Stream<Path> files = Files.list(commits)) {
            return files.anyMatch(file -> file.toString().endsWith(".commit"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folders that belong to statements. */
    private static List<org.apache.hadoop.fs.Path> leftovers(FileSystem hdfs, org.apache.hadoop.fs.Path folder)
            throws IOException {
        List<org.apache.hadoop.fs.Path> left = new ArrayList<>();
        for (FileStatus status : hdfs.listStatus(folder)) {
            if (status.getPath().getName().startsWith(".skep")) {
                left.add(status.getPath());
            } else if (status.isDirectory()) {
                left.addAll(leftovers(hdfs, status.getPath()));
            }
        }
        return left;
    }
}
