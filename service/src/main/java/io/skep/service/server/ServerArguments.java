package io.skep.service.server;

import io.skep.common.cli.SettingValue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line of a server. */
public final class ServerArguments {
    @Option(
            names = "--port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "JDBC port (10000, or 10001 where the transport is http); 0 takes any free one.")
    @Nullable
    Integer port;

    @Option(
            names = "--ui-port",
            paramLabel = "N",
            converter = SettingValue.Port.class,
            description = "Port of the web pages (10002); 0 takes any free one.")
    @Nullable
    Integer uiPort;

    @Mixin
    PlaceArguments places = new PlaceArguments();
}
