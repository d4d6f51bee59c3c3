package io.skep.metastore.local;

import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A process that opens the metastore on a shared database when it is told to, says so, and ends with its input. */
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
        // The library's pool of connections has threads of its own.
        System.exit(0);
    }
}
