package io.skep.service.server;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.util.List;
import java.util.Map;

/**
 * What the server's own settings say.
 *
 * @param port of JDBC; 0 for any free one
 * @param bindHost name or address that the server listens on
 * @param uiPort of the pages; 0 for any free one
 * @param maxMessageBytes largest message that a client may send
 */
public record ServerConfig(int port, String bindHost, int uiPort, int maxMessageBytes) {
    private static final int MOST_PORTS = 65535;

    static final Property<Integer> PORT = new Property<>(
            "hive.server2.thrift.port",
            PropertyType.integer(0, MOST_PORTS),
            "10000",
            "Port of HiveServer2's binary protocol; 0 takes any free one.");
    static final Property<String> BIND_HOST = new Property<>(
            "hive.server2.thrift.bind.host",
            PropertyType.text(),
            "127.0.0.1",
            "Name or address to listen on, for clients and for the pages; 0.0.0.0 for all.");
    static final Property<Integer> UI_PORT = new Property<>(
            "hive.server2.webui.port",
            PropertyType.integer(0, MOST_PORTS),
            "10002",
            "Port of the web pages; 0 takes any free one.");
    static final Property<Long> MAX_MESSAGE = new Property<>(
            "hive.server2.thrift.max.message.size",
            PropertyType.size(1 << 16, Integer.MAX_VALUE),
            "100MB",
            "Largest message that a client may send.");

    /** All of them, for the reference. */
    static final List<Property<?>> PROPERTIES = List.of(PORT, BIND_HOST, UI_PORT, MAX_MESSAGE);

    /** @throws io.skep.common.error.SkepException INVALID_CONFIGURATION with everything that is wrong */
    public static ServerConfig of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        ServerConfig config = new ServerConfig(
                reader.read(PORT),
                reader.read(BIND_HOST),
                reader.read(UI_PORT),
                Math.toIntExact(reader.read(MAX_MESSAGE)));
        reader.finish();
        return config;
    }
}
