package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the loss of parts of HDFS. A statement returns the right answer, or says what is wrong within a bounded time,
 * and the session continues.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
final class TestLostHdfs {
    private static final String SUM = "SELECT count(*), sum(a), max(b) FROM t";
    private static final String TABLE = "/user/warehouse/t";
    private static final int FILE_SYSTEM_ERROR = 70003;
    private static final int DISK_FULL = 80002;

    /** Shorter than the time after which the file system's client stops trying. */
    private static final long STOPPED_MILLIS = 2000;

    private HdfsServer server;
    private HadoopProcess hadoop;
    private DistributedFileSystem hdfs;
    private ReleasedClient client;
    private Connection connection;
    private Statement statement;
    private List<String> answer;

    @BeforeAll
    void start() throws Exception {
        // Every query reads the files. The client retries only briefly when a block has no DataNodes or the NameNode is
        // away.
        server = HdfsServer.start(Map.of(
                "hive.llap.io.enabled",
                "false",
                "dfs.client.retry.window.base",
                "100",
                "dfs.client.retry.policy.spec",
                "200,3",
                "dfs.client.socket-timeout",
                "3000"));
        hadoop = server.hadoop();
        hdfs = (DistributedFileSystem) hadoop.client();
        client = ReleasedClient.open();
        connection = connect();
        statement = connection.createStatement();
        statement.execute(
                "CREATE TABLE t STORED AS ORC AS SELECT i * 200 + j AS a, concat('text ', i, '-', j) AS b FROM "
                        + "(SELECT posexplode(split(space(199), ' ')) AS (i, e)) x CROSS JOIN "
                        + "(SELECT posexplode(split(space(199), ' ')) AS (j, e)) y");
        answer = Queries.rows(statement, SUM);
        assertThat(answer).hasSize(1).first().asString().startsWith("40000 799980000 ");
    }

    private Connection connect() throws SQLException {
        Connection made = client.connect(server.server().jdbcUrl());
        try (Statement settings = made.createStatement()) {
            settings.execute("SET hive.llap.io.enabled=false");
        }
        return made;
    }

    @AfterAll
    void end() throws Exception {
        connection.close();
        client.close();
        hdfs.close();
        server.close();
    }

    @Test
    void aDataNodeIsLostInTheMiddleOfScans() throws Exception {
        Semaphore answered = new Semaphore(0);
        AtomicBoolean enough = new AtomicBoolean();
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> reader = thread.submit(() -> {
                try (Connection other = connect();
                        Statement queries = other.createStatement()) {
                    while (!enough.get()) {
                        assertThat(Queries.rows(queries, SUM)).isEqualTo(answer);
                        answered.release();
                    }
                }
                return null;
            });
            try {
                answered.acquire(2);
                hadoop.command("stop-datanode 0");
                answered.drainPermits();
                answered.acquire(3);
                // Writes also succeed with a single DataNode.
                statement.execute("CREATE TABLE written AS SELECT * FROM t WHERE a < 10");
                assertThat(Queries.rows(statement, "SELECT sum(a) FROM written"))
                        .containsExactly("45");
            } finally {
                enough.set(true);
            }
            reader.get();
        } finally {
            hadoop.command("start-datanode 0");
        }
        statement.execute("DROP TABLE written");
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
    }

    @Test
    void theNameNodeIsRestartedBetweenQueries() throws Exception {
        hadoop.command("stop-namenode");
        hadoop.command("start-namenode");
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
        statement.execute("CREATE TABLE after AS SELECT 1 AS a");
        assertThat(Queries.rows(statement, "SELECT * FROM after")).containsExactly("1");
        statement.execute("DROP TABLE after");
    }

    @Test
    void theNameNodeIsAway() throws Exception {
        hadoop.command("stop-namenode");
        try {
            fails(SUM, FILE_SYSTEM_ERROR, "see that the file system runs");
            fails("INSERT INTO t VALUES (1, 'one')", FILE_SYSTEM_ERROR, "see that the file system runs");
            assertThat(Queries.rows(statement, "SELECT 1 + 1")).containsExactly("2");
            assertThat(Queries.rows(statement, "SHOW TABLES")).contains("t");
        } finally {
            hadoop.command("start-namenode");
        }
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
        // Files that could not be deleted are deleted together with the next folder for which deletion succeeds.
        statement.execute("CREATE TABLE next AS SELECT 1 AS a");
        statement.execute("DROP TABLE next");
        assertThat(staging()).isZero();
    }

    /** The stopped processes answer nothing for some time, and no connection breaks. */
    @Test
    void nameNodeAndDataNodesAreStopped() throws Exception {
        hadoop.signal("STOP");
        assertWaits(() -> hadoop.signal("CONT"));
    }

    /** Either other DataNodes store the rows, or the stopped one is the only one that does. */
    @Test
    void aDataNodeIsStopped(@TempDir java.nio.file.Path folder) throws Exception {
        try (DataNodeProcess third = DataNodeProcess.start(hadoop.uri(), folder)) {
            copyToAll(3);
            third.signal("STOP");
            for (int i = 0; i < 3; i++) {
                assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
            }
            third.signal("CONT");
            // Meanwhile the NameNode may have declared it dead.
            copyToAll(3);
            hadoop.command("stop-datanode 0");
            hadoop.command("stop-datanode 1");
            third.signal("STOP");
            assertWaits(() -> third.signal("CONT"));
        }
        // The mini cluster waits until the NameNode lists only the cluster's own DataNodes.
        hadoop.command("start-datanode 0");
        hadoop.command("start-datanode 1");
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
    }

    /** Waits until this number of DataNodes store each block of the table. */
    private void copyToAll(int dataNodes) throws IOException {
        for (FileStatus file : hdfs.listStatus(new Path(TABLE))) {
            hdfs.setReplication(file.getPath(), (short) dataNodes);
            ServerProcess.await(() -> holders(file) == dataNodes);
        }
    }

    private int holders(FileStatus file) {
        try {
            return hdfs.getFileBlockLocations(file, 0, 1)[0].getHosts().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface Repair {
        void run() throws IOException, InterruptedException;
    }

    /** Checks that a query waits for stopped processes, and that its answer is right when they continue. */
    private void assertWaits(Repair repair) throws Exception {
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<String>> query = thread.submit(() -> Queries.rows(statement, SUM));
            Thread.sleep(STOPPED_MILLIS);
            assertThat(query.isDone()).isFalse();
            repair.run();
            assertThat(query.get()).isEqualTo(answer);
        }
    }

    @Test
    void allDataNodesAreAway() throws Exception {
        hadoop.command("stop-datanode 0");
        hadoop.command("stop-datanode 1");
        try {
            fails(SUM, FILE_SYSTEM_ERROR, "start the DataNodes");
            assertThat(Queries.rows(statement, "SELECT 1 + 1")).containsExactly("2");
        } finally {
            hadoop.command("start-datanode 0");
            hadoop.command("start-datanode 1");
        }
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
    }

    @Test
    void aFullQuotaLeavesTheTableAsItWas() throws Exception {
        hdfs.setQuota(new Path(TABLE), HdfsConstants.QUOTA_DONT_SET, 1 << 20);
        try {
            fails("INSERT INTO t SELECT * FROM t", DISK_FULL, "raise the quota");
        } finally {
            hdfs.setQuota(new Path(TABLE), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
        }
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
        assertThat(staging()).isZero();
    }

    @Test
    void safeModeIsSaidAndTablesCanBeRead() throws Exception {
        hdfs.setSafeMode(SafeModeAction.ENTER);
        try {
            fails("INSERT INTO t VALUES (1, 'one')", FILE_SYSTEM_ERROR, "safe mode");
            assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
        } finally {
            hdfs.setSafeMode(SafeModeAction.LEAVE);
        }
        assertThat(Queries.rows(statement, SUM)).isEqualTo(answer);
    }

    private void fails(String sql, int code, String hint) {
        SQLException error = catchThrowableOfType(SQLException.class, () -> Queries.run(statement, sql));
        assertThat(error.getErrorCode()).as(error.getMessage()).isEqualTo(code);
        assertThat(error.getMessage()).contains(hint);
        server.server()
                .awaitThat(
                        "nothing is left",
                        () -> server.server().server().snapshot().leftovers().isEmpty());
    }

    private int staging() throws IOException {
        return hdfs.listStatus(new Path(TABLE), path -> path.getName().startsWith(".skep")).length;
    }
}
