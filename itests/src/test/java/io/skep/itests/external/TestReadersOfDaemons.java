package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.StartedDaemon;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons in processes of their own with ports for external readers. The server has no such port. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(180)
final class TestReadersOfDaemons {
    private static final int ROWS = 40_000;

    /** Rows of a kilobyte: more than a connection takes while nobody reads. */
    private static final String WIDE = "select n, rpad('x', 1000, 'x') as w from many";

    private final RootAllocator memory = new RootAllocator();
    private final ExternalReader reader = new ExternalReader(memory, Optional.empty());
    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private Path folder;
    private Path keys;
    private ReleasedClient client;
    private SkepServer server;
    private Connection connection;

    @BeforeAll
    void open(@TempDir Path temporary) throws Exception {
        folder = temporary;
        client = ReleasedClient.open();
        keys = folder.resolve("keys");
        writeKeys("1".repeat(64));
        for (int i = 0; i < 2; i++) {
            ports.add(freePort());
            daemons.add(StartedDaemon.start(
                    folder.resolve("daemon" + i),
                    Map.of(
                            "hive.llap.daemon.num.executors",
                            "1",
                            "skep.llap.external.port",
                            ports.get(i).toString(),
                            "skep.llap.external.key-file",
                            keys.toString())));
        }
        server = SkepServer.start(new ServerOptions(
                0,
                0,
                folder.resolve("data"),
                Map.of(
                        "skep.llap.daemons",
                        daemons.get(0).endpoint() + "," + daemons.get(1).endpoint(),
                        "skep.llap.external.key-file",
                        keys.toString())));
        connection = client.connect(server.jdbcUrl());
        run("create table many (n bigint) stored as orc");
        for (int part = 0; part < 4; part++) {
            run("insert into many select " + part + " * 10000 + pos from"
                    + " (select posexplode(split(space(9999), ' ')) as (pos, e)) s");
        }
    }

    private void writeKeys(String... secrets) throws IOException {
        Files.writeString(keys, String.join("\n", secrets) + "\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    void close() throws Exception {
        connection.close();
        server.close();
        client.close();
        daemons.forEach(StartedDaemon::close);
        memory.close();
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void add(SplitRows rows, List<Long> read) {
        BigIntVector numbers = (BigIntVector) rows.batch().getVector(0);
        for (int row = 0; row < rows.batch().getRowCount(); row++) {
            read.add(numbers.get(row));
        }
    }

    private List<Long> drain(ExternalSplit split) {
        List<Long> read = new ArrayList<>();
        try (SplitRows rows = reader.read(split)) {
            while (rows.next()) {
                add(rows, read);
            }
        }
        return read;
    }

    private static List<Long> all() {
        return IntStream.range(0, ROWS).mapToObj(Long::valueOf).toList();
    }

    @Test
    @Order(1)
    void partsOfAScanComeFromTheDaemons() throws Exception {
        List<ExternalSplit> splits = Splits.of(connection, WIDE, 4);
        assertThat(splits).hasSizeBetween(2, 4);
        List<Long> read = new ArrayList<>();
        for (ExternalSplit split : splits) {
            assertThat(split.locations()).hasSize(2).allMatch(location -> ports.contains(location.getPort()));
            read.addAll(drain(split));
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(all());
        for (StartedDaemon daemon : daemons) {
            assertThat(daemon.leftovers()).isEmpty();
        }
    }

    @Test
    @Order(2)
    void whatOnlyTheServerCouldAnswerNamesTheSetting() {
        assertThatThrownBy(() -> Splits.of(connection, "select count(*) from many", 2))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("skep.flight.port");
    }

    @Test
    @Order(3)
    void keysRotate() throws Exception {
        ExternalSplit old = Splits.of(connection, WIDE, 1).getFirst();
        writeKeys("2".repeat(64), "1".repeat(64));
        assertThat(drain(old)).hasSize(ROWS);
        ExternalSplit[] fresh = new ExternalSplit[1];
        Polling.await("the new key at all daemons").until(() -> {
            fresh[0] = Splits.of(connection, WIDE, 1).getFirst();
            return drain(fresh[0]).size() == ROWS;
        });
        writeKeys("2".repeat(64));
        Polling.await("the end of the old key").until(() -> isRefused(old));
        assertThat(drain(Splits.of(connection, WIDE, 1).getFirst())).hasSize(ROWS);
    }

    private boolean isRefused(ExternalSplit split) {
        try {
            drain(split);
            return false;
        } catch (ReadException e) {
            assertThat(e).hasMessageContaining("not one of this site");
            return true;
        }
    }

    /** Two readers: one in this process, and a program of Hadoop. */
    @Test
    @Order(4)
    void aKilledDaemonsRowsComeOnceEachFromTheOther() throws Exception {
        ExternalSplit split = Splits.of(connection, WIDE, 1).getFirst();
        int first = ports.indexOf(split.locations().getFirst().getPort());
        List<Long> read = new ArrayList<>();
        try (SplitRows rows = reader.read(split);
                MapredProcess hadoop = MapredProcess.start(folder, true)) {
            assertThat(rows.next()).isTrue();
            add(rows, read);
            hadoop.runUntil(1, "rows", 1, Map.of("llap.if.hs2.connection", server.jdbcUrl(), "llap.if.query", WIDE));
            assertThat(daemons.get(first).metric("Connections", "queries")).isGreaterThanOrEqualTo(2);
            assertThat(daemons.get(1 - first).leftovers()).isEmpty();
            daemons.get(first).kill();
            while (rows.next()) {
                add(rows, read);
            }
            List<Long> others = hadoop.resume().rows().stream()
                    .map(row -> Long.valueOf(row.getFirst()))
                    .toList();
            assertThat(others).hasSize(ROWS).containsExactlyInAnyOrderElementsOf(all());
        }
        assertThat(read).hasSize(ROWS).containsExactlyInAnyOrderElementsOf(all());
        assertThat(daemons.get(1 - first).leftovers()).isEmpty();
    }
}
