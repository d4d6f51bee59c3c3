package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import io.skep.itests.server.StartedDaemon;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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
    private static final int ROWS = DaemonSite.ROWS;
    private static final String WIDE = DaemonSite.WIDE;

    private final RootAllocator memory = new RootAllocator();
    private final ExternalReader reader = new ExternalReader(memory, Optional.empty());
    private Path folder;
    private DaemonSite site;
    private Connection connection;

    @BeforeAll
    void open(@TempDir Path temporary) throws Exception {
        folder = temporary;
        site = new DaemonSite(folder);
        connection = site.connection();
    }

    @AfterAll
    void close() throws Exception {
        site.close();
        memory.close();
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
            assertThat(split.locations())
                    .hasSize(2)
                    .allMatch(location -> site.ports().contains(location.getPort()));
            read.addAll(drain(split));
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(all());
        for (StartedDaemon daemon : site.daemons()) {
            assertThat(daemon.leftovers()).isEmpty();
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < site.daemons().size(); i++) {
            lines.addAll(Files.readAllLines(folder.resolve("daemon" + i).resolve("audit/audit.log")));
        }
        assertThat(lines)
                .hasSize(splits.size())
                .allSatisfy(line -> assertThat(line)
                        .contains(
                                "\"event\":\"READ\"",
                                "\"address\":\"127.0.0.1\"",
                                "\"decision\":\"ALLOWED\"",
                                "\"user\":\"")
                        .endsWith("}"));
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
        site.writeKeys("2".repeat(64), "1".repeat(64));
        assertThat(drain(old)).hasSize(ROWS);
        ExternalSplit[] fresh = new ExternalSplit[1];
        Polling.await("the new key at all daemons").until(() -> {
            fresh[0] = Splits.of(connection, WIDE, 1).getFirst();
            return drain(fresh[0]).size() == ROWS;
        });
        site.writeKeys("2".repeat(64));
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
        int first = site.ports().indexOf(split.locations().getFirst().getPort());
        List<Long> read = new ArrayList<>();
        try (SplitRows rows = reader.read(split);
                MapredProcess hadoop = MapredProcess.start(folder, true)) {
            assertThat(rows.next()).isTrue();
            add(rows, read);
            hadoop.runUntil(1, "rows", 1, Map.of("llap.if.hs2.connection", site.url(), "llap.if.query", WIDE));
            assertThat(site.daemons().get(first).metric("Connections", "queries"))
                    .isGreaterThanOrEqualTo(2);
            assertThat(site.daemons().get(1 - first).leftovers()).isEmpty();
            site.daemons().get(first).kill();
            while (rows.next()) {
                add(rows, read);
            }
            List<Long> others = hadoop.resume().rows().stream()
                    .map(row -> Long.valueOf(row.getFirst()))
                    .toList();
            assertThat(others).hasSize(ROWS).containsExactlyInAnyOrderElementsOf(all());
        }
        assertThat(read).hasSize(ROWS).containsExactlyInAnyOrderElementsOf(all());
        assertThat(site.daemons().get(1 - first).leftovers()).isEmpty();
    }
}
