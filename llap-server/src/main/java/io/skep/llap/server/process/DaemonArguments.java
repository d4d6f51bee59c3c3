package io.skep.llap.server.process;

import io.skep.common.cli.SettingValue;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command line of a daemon's process. */
public final class DaemonArguments {
    @Option(
            names = "--port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "Port for servers and other daemons (15001); 0 takes any free one.")
    @Nullable
    Integer port;

    @Option(
            names = "--ui-port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "Port of its web pages (15002); 0 takes any free one.")
    @Nullable
    Integer uiPort;

    @Option(names = "--data", paramLabel = "DIR", description = "Folder that it spills to (data/llap).")
    Path data = Path.of("data/llap");

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description =
                    "Folder of core-site.xml, hdfs-site.xml, hive-site.xml, llap-daemon-site.xml and skep-site.xml.")
    @Nullable
    Path conf;
}
