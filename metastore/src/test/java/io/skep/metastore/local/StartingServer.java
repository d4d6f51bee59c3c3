package io.skep.metastore.local;

import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * A process that opens the metastore on a shared database on request, reports it, and exits at the end of its input.
 */
final class StartingServer {
    private StartingServer() {}

    /** @param arguments the server's folder, the database's URL, the warehouse */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        MetastoreConfig config = MetastoreConfig.of(
                Map.of(
                        "javax.jdo.option.ConnectionURL",
                        arguments[1],
                        "hive.metastore.warehouse.dir",
                        "file:" + arguments[2]),
                folder);
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                DataDirectory data = DataDirectory.open(folder)) {
            System.out.println("waits");
            if (input.readLine() != null) {
                try (LocalMetastore metastore = LocalMetastore.open(config, data)) {
                    System.out.println("has " + metastore.catalog().databases());
                    input.readLine();
                }
            }
        }
        // The threads of the library's connection pool would keep the process alive.
        System.exit(0);
    }
}
