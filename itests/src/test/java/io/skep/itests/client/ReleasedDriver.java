package io.skep.itests.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A release of the Hive JDBC driver. */
public enum ReleasedDriver {
    HIVE_2("2.3.9"),
    HIVE_3("3.1.3"),
    HIVE_4_0("4.0.1"),
    /** The newest, from the class path of Beeline: it has no jar that needs no other. */
    HIVE_4_2("4.2.1");

    private final String version;

    ReleasedDriver(String version) {
        this.version = version;
    }

    public String version() {
        return version;
    }

    /** Lists the driver's class path in a fixed order. */
    List<Path> jars() throws IOException {
        if (this == HIVE_4_2) {
            return ReleasedJars.list();
        }
        Path jar = ReleasedJars.home().resolve("dist/jdbc-drivers/hive-jdbc-" + version + "-standalone.jar");
        if (!Files.isRegularFile(jar)) {
            throw new IOException(jar + " is missing; build itests/jdbc-drivers first");
        }
        return List.of(jar);
    }
}
