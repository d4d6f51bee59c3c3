package io.skep.llap.client.yarn;

import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.rpc.RpcConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings and files that a container needs from the process that starts it. */
public final class PackagedSettings {
    /** The properties that name files. */
    private static final List<Property<?>> FILES = Stream.concat(
                    RpcConfig.FILES.stream(), Stream.of(ExternalConfig.KEY_FILE))
            .<Property<?>>map(property -> property)
            .toList();

    private PackagedSettings() {}

    /**
     * Returns the settings with values that are valid in a container.
     *
     * @param conf receives the files that the settings name
     * @throws SkepException MISSING_FILE
     */
    public static Map<String, String> pack(Map<String, String> settings, Map<String, byte[]> conf) {
        Map<String, String> packed = new HashMap<>(settings);
        for (Property<?> property : FILES) {
            String setting = property.name();
            String file = settings.getOrDefault(setting, "");
            if (!file.isEmpty()) {
                conf.put(setting, bytes(Path.of(file)));
                packed.put(setting, PackagedFile.CONF + "/" + setting);
            }
        }
        return packed;
    }

    /** Returns the flags that every JVM of Skep is started with. */
    public static List<String> jvmFlags(Path home) {
        return new String(bytes(home.resolve("bin/jvm.flags")), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    /** Returns a file's content. */
    public static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.MISSING_FILE, "cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
