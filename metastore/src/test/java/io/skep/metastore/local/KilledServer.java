package io.skep.metastore.local;

import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A process that creates a database, reports it and then waits until it is killed. */
final class KilledServer {
    private KilledServer() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        DataDirectory data = DataDirectory.open(folder);
        LocalMetastore metastore = LocalMetastore.open(MetastoreConfig.of(Map.of(), folder), data);
        metastore.catalog().createDatabase(CatalogFixtures.database("survivor", ""));
        System.out.println("made");
        System.out.flush();
        int end = System.in.read();
        System.exit(end);
    }
}
