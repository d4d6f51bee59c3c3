package io.skep.service.cli;

import io.skep.common.cli.SettingValue;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code bin/skep demo}. */
public final class DemoArguments {
    @Option(names = "--keep", description = "Leave the server running.")
    public boolean keep;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data folder of the server; by default one that is deleted at the end.")
    public @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "JDBC port (10000); 0 takes any free one.")
    public int port = 10_000;

    @Option(
            names = "--ui-port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "Port of the web pages (10002); 0 takes any free one.")
    public int uiPort = 10_002;

    @Option(names = "--rows", paramLabel = "N", description = "Rows of the report table (10 000 000).")
    public long rows = 10_000_000;

    @Option(names = "--scale", paramLabel = "S", description = "Scale of TPC-H (1).")
    public double scale = 1;

    @Option(names = "--seconds", paramLabel = "T", description = "How long reports are measured (10).")
    public int seconds = 10;
}
