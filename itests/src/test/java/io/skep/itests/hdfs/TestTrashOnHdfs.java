package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests files that tables lose, on an HDFS whose clients have the trash enabled. The files go to the user's trash
 * unless the statement purges them.
 */
@ExtendWith(SharedHdfsServer.class)
@Timeout(900)
final class TestTrashOnHdfs {
    private static final String WAREHOUSE = "/trash-test";

    @Test
    void whatIsDroppedCanBeFoundAgain(HdfsServer shared, @TempDir java.nio.file.Path folder) throws Exception {
        HadoopProcess hadoop = shared.hadoop();
        Map<String, String> site = new HashMap<>(HdfsServer.settings(hadoop));
        site.put("hive.metastore.warehouse.dir", WAREHOUSE);
        site.put("fs.trash.interval", "60");
        ServerProcess server = ServerProcess.start(Files.createDirectories(folder.resolve("data")), site);
        try (ReleasedClient client = ReleasedClient.open();
                FileSystem hdfs = hadoop.client();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            rewrittenAndTruncated(statement, hdfs);
            dropped(statement, hdfs);
            purged(statement, hdfs);
        } finally {
            server.process().destroy();
            assertThat(server.process().waitFor()).isIn(0, 143);
        }
    }

    private static void rewrittenAndTruncated(Statement statement, FileSystem hdfs) throws SQLException, IOException {
        run(statement, "CREATE TABLE w (a INT) STORED AS ORC", "INSERT INTO w VALUES (1)");
        assertThat(trashed(hdfs, "w")).isZero();
        run(statement, "INSERT OVERWRITE TABLE w VALUES (2)");
        assertThat(trashed(hdfs, "w")).isEqualTo(1);
        assertThat(Queries.rows(statement, "SELECT a FROM w")).containsExactly("2");
        run(statement, "TRUNCATE TABLE w");
        assertThat(trashed(hdfs, "w")).isEqualTo(2);
        assertThat(Queries.rows(statement, "SELECT a FROM w")).isEmpty();
        run(statement, "DROP TABLE w PURGE");
        assertThat(trashed(hdfs, "w")).isEqualTo(2);
    }

    private static void dropped(Statement statement, FileSystem hdfs) throws SQLException, IOException {
        run(
                statement,
                "CREATE TABLE p (a INT) PARTITIONED BY (k INT) STORED AS ORC",
                "INSERT INTO p PARTITION (k) VALUES (1, 1), (2, 2), (3, 3)",
                "ALTER TABLE p DROP PARTITION (k = 1)");
        assertThat(trashed(hdfs, "p/k=1")).isEqualTo(1);
        run(statement, "ALTER TABLE p DROP PARTITION (k = 2) PURGE");
        assertThat(trashed(hdfs, "p")).isEqualTo(1);
        run(statement, "DROP TABLE p");
        assertThat(trashedFiles(hdfs, "/p")).isEqualTo(2);
        run(
                statement,
                "CREATE DATABASE gone",
                "CREATE TABLE gone.t (a INT) STORED AS ORC",
                "INSERT INTO gone.t VALUES (1)",
                "DROP DATABASE gone CASCADE");
        assertThat(trashedFiles(hdfs, "/gone.db")).isEqualTo(1);
    }

    private static void purged(Statement statement, FileSystem hdfs) throws SQLException, IOException {
        run(
                statement,
                "CREATE TABLE a (a INT) STORED AS ORC TBLPROPERTIES ('auto.purge'='true')",
                "INSERT INTO a VALUES (1)",
                "INSERT OVERWRITE TABLE a VALUES (2)",
                "TRUNCATE TABLE a",
                "INSERT INTO a VALUES (3)",
                "DROP TABLE a");
        assertThat(trashedFiles(hdfs, "/a")).isZero();
        assertThat(hdfs.exists(new Path(WAREHOUSE + "/a"))).isFalse();
    }

    private static void run(Statement statement, String... texts) throws SQLException {
        for (String text : texts) {
            statement.execute(text);
        }
    }

    /** Returns how many files are in the trash below a folder of the warehouse, under the folder's own name. */
    private static int trashed(FileSystem hdfs, String folder) throws IOException {
        return count(hdfs, new Path(hdfs.getHomeDirectory(), ".Trash/Current" + WAREHOUSE + "/" + folder), "");
    }

    /**
     * Returns how many files in the trash have a part in their paths. A folder whose name already exists in the trash
     * gets another name.
     */
    private static int trashedFiles(FileSystem hdfs, String part) throws IOException {
        return count(hdfs, new Path(hdfs.getHomeDirectory(), ".Trash/Current" + WAREHOUSE), WAREHOUSE + part);
    }

    private static int count(FileSystem hdfs, Path folder, String part) throws IOException {
        if (!hdfs.exists(folder)) {
            return 0;
        }
        int count = 0;
        RemoteIterator<?> files = hdfs.listFiles(folder, true);
        while (files.hasNext()) {
            count += files.next().toString().contains(part) ? 1 : 0;
        }
        return count;
    }
}
