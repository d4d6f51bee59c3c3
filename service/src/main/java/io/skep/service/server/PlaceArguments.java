package io.skep.service.server;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say where a server's data and settings are. */
public final class PlaceArguments {
    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the tables and the metastore (data/).")
    Path data = Path.of("data");

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "Folder of hive-site.xml, skep-site.xml and the other site files.")
    Optional<String> conf = Optional.empty();
}
