package io.skep.metastore.service;

import io.skep.common.cli.SettingValue;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command line of the metastore service. */
final class MetastoreArguments {
    @Option(
            names = "--port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "Thrift port (9083); 0 takes any free one.")
    @Nullable
    Integer port;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Name or address to listen on (127.0.0.1). Others than this machine's loopback need"
                    + " skep.metastore.insecure-listen=true in the site files.")
    @Nullable
    String host;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data folder of the server whose tables it serves (data/).")
    Path data = Path.of("data");

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "Folder of hive-site.xml, skep-site.xml and the other site files, the same as the server's.")
    Optional<String> conf = Optional.empty();
}
