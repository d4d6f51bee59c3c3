package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of a busy server in its data folder are accessible only to its own user, except for the tables in the
 * warehouse.
 */
final class TestDataFolder {
    @TempDir
    private Path folder;

    @Test
    void othersCannotRead() throws Exception {
        Path data = folder.resolve("data");
        Map<String, String> site = Map.of(
                "skep.llap.disk-cache.folders", data.resolve("disk-cache").toString(),
                "skep.llap.disk-cache.size", "64mb",
                "skep.operator.max-memory", "65536");
        List<String> seen = new ArrayList<>();
        try (ReleasedClient client = ReleasedClient.open();
                SkepServer server = SkepServer.start(new ServerOptions(0, 0, data, site));
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement();
                Statement open = connection.createStatement()) {
            statement.execute("create table t stored as orc as select posexplode(split(space(50000), ' ')) as (a, b)");
            statement.execute("set skep.scheduler=tez");
            statement.execute("insert into t select a + 1, b from t limit 10");
            open.setFetchSize(1);
            try (ResultSet sorted = open.executeQuery("select a, b from t order by a desc")) {
                assertThat(sorted.next()).isTrue();
                check(data, seen);
            }
        }
        assertThat(seen).anyMatch(path -> path.startsWith("metastore")).contains("server.lock", "commits");
    }

    private static void check(Path data, List<String> seen) throws IOException {
        assertThat(mode(data)).isEqualTo("rwx------");
        try (Stream<Path> all = Files.walk(data)) {
            for (Path path : all.toList()) {
                String name = data.relativize(path).toString();
                // Tables follow Hive's permission rules. Tez's files follow Hadoop's, in a folder that other users
                // cannot open.
                if (name.isEmpty() || name.startsWith("warehouse") || name.startsWith("tez/")) {
                    continue;
                }
                try {
                    assertThat(mode(path)).as(name).endsWith("------");
                    seen.add(name);
                } catch (UncheckedIOException e) {
                    assertThat(e.getCause()).isInstanceOf(NoSuchFileException.class);
                }
            }
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
