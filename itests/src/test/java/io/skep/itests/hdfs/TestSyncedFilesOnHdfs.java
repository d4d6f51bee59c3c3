package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import java.io.OutputStream;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests files of writes to HDFS that the DataNodes force to their disks when a setting says so. The DataNodes count
 * these fsyncs.
 */
@ExtendWith(SharedHdfsServer.class)
@Timeout(900)
final class TestSyncedFilesOnHdfs {
    private static final Path FOLDER = new Path("/synced-test");
    private static final int DATA_NODES = 2;

    @Test
    void eachDataNodeForcesEachFile(HdfsServer shared, @TempDir java.nio.file.Path folder) throws Exception {
        HadoopProcess hadoop = shared.hadoop();
        Map<String, String> site = new HashMap<>(HdfsServer.settings(hadoop));
        site.put("hive.metastore.warehouse.dir", FOLDER + "/warehouse");
        site.put("skep.commit.hdfs-sync", "true");
        ServerProcess server = ServerProcess.start(Files.createDirectories(folder.resolve("data")), site);
        try (ReleasedClient client = ReleasedClient.open();
                FileSystem hdfs = hadoop.client();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            notWanted(hadoop, hdfs);
            for (String format : List.of("TEXTFILE", "ORC", "PARQUET", "AVRO", "SEQUENCEFILE", "RCFILE")) {
                long before = fsyncs(hadoop);
                statement.execute("CREATE TABLE f_" + format + " STORED AS " + format + " AS SELECT 1 AS a");
                assertThat(fsyncs(hadoop) - before).as(format).isGreaterThanOrEqualTo(DATA_NODES);
            }
            loaded(hadoop, statement, folder);
            hdfs.delete(FOLDER, true);
        } finally {
            server.process().destroy();
            assertThat(server.process().waitFor()).isIn(0, 143);
        }
    }

    private static void notWanted(HadoopProcess hadoop, FileSystem hdfs) throws Exception {
        long before = fsyncs(hadoop);
        try (OutputStream out = hdfs.create(new Path(FOLDER, "not-wanted"))) {
            out.write(1);
        }
        assertThat(fsyncs(hadoop)).isEqualTo(before);
    }

    private static void loaded(HadoopProcess hadoop, Statement statement, java.nio.file.Path folder) throws Exception {
        java.nio.file.Path file = Files.writeString(folder.resolve("rows"), "2\n");
        long before = fsyncs(hadoop);
        statement.execute("LOAD DATA LOCAL INPATH '" + file + "' INTO TABLE f_TEXTFILE");
        assertThat(fsyncs(hadoop) - before).isGreaterThanOrEqualTo(DATA_NODES);
        assertThat(Queries.rows(statement, "SELECT a FROM f_TEXTFILE ORDER BY a"))
                .containsExactly("1", "2");
    }

    private static long fsyncs(HadoopProcess hadoop) throws Exception {
        return Long.parseLong(hadoop.command("fsyncs"));
    }
}
