package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table on a disk that becomes full. The INSERT fails with an error that says so, the table is unchanged, and the
 * session continues.
 */
@ExtendWith(SharedServer.class)
final class TestFullDisk {
    @TempDir
    private Path disk;

    @Test
    void anInsertThatDoesNotFitLeavesTheTable(TestServer server) throws Exception {
        try (SmallDisk _ = SmallDisk.mount(disk, "3m")) {
            insertTooMuch(server);
        }
    }

    private void insertTooMuch(TestServer server) throws Exception {
        ClientSession session = server.server().sessions().open("full", "test", Map.of());
        try {
            run(session, "CREATE DATABASE full_disk");
            run(session, "CREATE EXTERNAL TABLE full_disk.t (s STRING) STORED AS ORC LOCATION 'file:" + disk + "/t'");
            run(session, "INSERT INTO full_disk.t VALUES ('here')");
            Optional<SkepException> failure = run(
                    session,
                    "INSERT INTO full_disk.t SELECT sha2(cast(i AS string), 512) FROM (SELECT posexplode("
                            + "split(space(99999), ' ')) AS (i, e)) n");
            assertThat(failure).map(SkepException::code).contains(StandardErrorCode.DISK_FULL);
            assertThat(failure.orElseThrow().getMessage()).contains(disk.toString());
            try (Stream<Path> files = Files.walk(disk)) {
                assertThat(files.filter(Files::isRegularFile)
                                .filter(file -> !file.toString().endsWith(".crc")))
                        .hasSize(1);
            }
            assertThat(run(session, "INSERT INTO full_disk.t VALUES ('there')")).isEmpty();
            assertThat(count(session)).isEqualTo(2);
        } finally {
            run(session, "DROP DATABASE full_disk CASCADE");
            server.server().sessions().close(session.id());
        }
    }

    private static Optional<SkepException> run(ClientSession session, String sql) {
        Operation operation = session.execute(sql, true);
        while (!operation.await(Duration.ofSeconds(10))) {
            assertThat(operation.state()).isNotNull();
        }
        Optional<SkepException> failure = operation.failure();
        session.close(operation.id());
        return failure;
    }

    private static long count(ClientSession session) {
        Operation operation = session.execute("SELECT count(*) FROM full_disk.t", false);
        ResultPage page = operation.fetch(1);
        Datum count = Datum.of(
                page.batches().getFirst().column(0),
                0,
                page.schema().columns().getFirst().type());
        session.close(operation.id());
        return ((Datum.OfLong) count).value();
    }
}
