package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests statements that name file locations, with a warehouse on HDFS. */
@ExtendWith(SharedHdfsServer.class)
@Timeout(600)
final class TestHdfsTables {
    private static final int PARTITIONS = 200;

    private final HadoopProcess hadoop;
    private final ReleasedClient client;
    private final Connection connection;
    private final Statement statement;
    private final FileSystem hdfs;

    TestHdfsTables(HdfsServer server) throws Exception {
        this.hadoop = server.hadoop();
        this.hdfs = hadoop.client();
        this.client = ReleasedClient.open();
        this.connection = client.connect(server.server().jdbcUrl());
        this.statement = connection.createStatement();
    }

    @BeforeEach
    void makeDatabase() throws SQLException {
        statement.execute("CREATE DATABASE tables");
        statement.execute("USE tables");
    }

    @AfterEach
    void close() throws Exception {
        statement.execute("DROP DATABASE tables CASCADE");
        connection.close();
        client.close();
        hdfs.delete(path("/in"), true);
        hdfs.close();
    }

    @Test
    void filesAreLoadedFromEverywhere(@TempDir Path local) throws Exception {
        write("/in/one", "1\n");
        Path two = Files.writeString(local.resolve("two"), "2\n");
        Path three = Files.writeString(local.resolve("three"), "3\n");
        statement.execute("CREATE TABLE t (a INT)");
        statement.execute("LOAD DATA INPATH '/in/one' INTO TABLE t");
        statement.execute("LOAD DATA LOCAL INPATH '" + two + "' INTO TABLE t");
        statement.execute("LOAD DATA INPATH 'file:" + three + "' INTO TABLE t");
        assertThat(rows("SELECT a FROM t ORDER BY a")).containsExactly("1", "2", "3");
        assertThat(hdfs.exists(path("/in/one"))).as("moved").isFalse();
        assertThat(two).as("copied").exists();
        assertThat(three).as("moved to another file system").doesNotExist();
        assertThat(names("/user/warehouse/tables.db/t")).containsExactlyInAnyOrder("one", "two", "three");
        write("/in/four", "4\n");
        statement.execute("LOAD DATA INPATH '" + hadoop.uri() + "/in/four' OVERWRITE INTO TABLE t");
        assertThat(names("/user/warehouse/tables.db/t")).containsExactly("four");
        assertThat(rows("SELECT a FROM t")).containsExactly("4");
    }

    @Test
    void foldersWithoutASchemeAreOnHdfsAndLocalOnesAreNot(@TempDir Path local) throws Exception {
        String folder = local.resolve("out").toString();
        statement.execute("INSERT OVERWRITE DIRECTORY '" + folder + "' SELECT 'far'");
        statement.execute("INSERT OVERWRITE LOCAL DIRECTORY '" + folder + "' SELECT 'near'");
        statement.execute("CREATE EXTERNAL TABLE far (s STRING) LOCATION '" + folder + "'");
        statement.execute("CREATE EXTERNAL TABLE near (s STRING) LOCATION 'file:" + folder + "'");
        assertThat(rows("SELECT f.s, n.s FROM far f CROSS JOIN near n")).containsExactly("far near");
        assertThat(hdfs.exists(path(folder))).isTrue();
        hdfs.delete(path(folder), true);
    }

    @Test
    void droppedFilesAreGoneAndExternalOnesAreNot() throws Exception {
        String managed = "/user/warehouse/tables.db/m";
        statement.execute("CREATE TABLE m (a INT) PARTITIONED BY (p INT) STORED AS PARQUET");
        statement.execute("INSERT INTO m PARTITION (p) VALUES (1, 1), (2, 2)");
        statement.execute("CREATE EXTERNAL TABLE e (a INT) LOCATION '/in/e'");
        statement.execute("INSERT INTO e VALUES (7)");
        statement.execute("TRUNCATE TABLE m PARTITION (p = 1)");
        assertThat(names(managed + "/p=1")).isEmpty();
        assertThat(names(managed + "/p=2")).hasSize(1);
        statement.execute("ALTER TABLE m DROP PARTITION (p = 1)");
        assertThat(names(managed)).containsExactly("p=2");
        statement.execute("DROP TABLE m");
        statement.execute("DROP TABLE e");
        assertThat(hdfs.exists(path(managed))).isFalse();
        assertThat(names("/in/e")).hasSize(1);
    }

    @Test
    void foldersFollowTheirNames() throws Exception {
        statement.execute("CREATE TABLE old (a INT) PARTITIONED BY (p INT) STORED AS ORC");
        statement.execute("INSERT INTO old PARTITION (p) VALUES (1, 1), (2, 2)");
        statement.execute("ALTER TABLE old RENAME TO named");
        statement.execute("ALTER TABLE named PARTITION (p = 1) RENAME TO PARTITION (p = 7)");
        statement.execute("INSERT INTO named PARTITION (p = 7) VALUES (3)");
        assertThat(rows("SELECT a, p FROM named ORDER BY a")).containsExactly("1 7", "2 2", "3 7");
        assertThat(names("/user/warehouse/tables.db")).containsExactly("named");
        assertThat(names("/user/warehouse/tables.db/named")).containsExactlyInAnyOrder("p=2", "p=7");
    }

    /** The cache must not return the rows of a file that was rewritten with the same length and time. */
    @Test
    void aRewrittenFileIsReadAgain() throws Exception {
        write("/in/r/f", "1\n");
        long time = hdfs.getFileStatus(path("/in/r/f")).getModificationTime();
        statement.execute("CREATE EXTERNAL TABLE r (a INT) LOCATION '/in/r'");
        assertThat(rows("SELECT sum(a) FROM r")).containsExactly("1");
        assertThat(rows("SELECT sum(a) FROM r")).containsExactly("1");
        hdfs.delete(path("/in/r/f"), false);
        write("/in/r/f", "2\n");
        hdfs.setTimes(path("/in/r/f"), time, -1);
        assertThat(rows("SELECT sum(a) FROM r")).containsExactly("2");
    }

    @Test
    void manyPartitionsAreListedInFewCalls() throws Exception {
        for (int p = 0; p < PARTITIONS; p++) {
            write("/in/parts/p=" + p + "/f", p + "\n");
        }
        statement.execute("CREATE EXTERNAL TABLE parts (a INT) PARTITIONED BY (p INT) LOCATION '/in/parts'");
        statement.execute("MSCK REPAIR TABLE parts");
        long before = hadoop.calls("GetListing") + hadoop.calls("GetBatchedListing");
        assertThat(rows("SELECT sum(a), count(DISTINCT p) FROM parts"))
                .containsExactly(PARTITIONS * (PARTITIONS - 1) / 2 + " " + PARTITIONS);
        long called = hadoop.calls("GetListing") + hadoop.calls("GetBatchedListing") - before;
        assertThat(called).isBetween(1L, 5L);
    }

    private void write(String file, String text) throws IOException {
        try (OutputStream out = hdfs.create(path(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<String> names(String folder) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus status : hdfs.listStatus(path(folder))) {
            names.add(status.getPath().getName());
        }
        return names;
    }

    private static org.apache.hadoop.fs.Path path(String path) {
        return new org.apache.hadoop.fs.Path(path);
    }

    private List<String> rows(String sql) throws SQLException {
        return Queries.rows(statement, sql);
    }
}
