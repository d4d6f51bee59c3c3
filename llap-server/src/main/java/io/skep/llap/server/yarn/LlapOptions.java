package io.skep.llap.server.yarn;

import io.skep.common.cli.SettingValue;
import io.skep.common.config.PropertyType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that several of the {@code bin/skep llap} commands have. */
final class LlapOptions {
    private static final int MAX_INSTANCES = 100_000;
    private static final int MAX_CORES = 1 << 20;
    private static final long MB = 1 << 20;

    private LlapOptions() {}

    /** Which application is meant. */
    static final class Target {
        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "Name under which the daemons register in ZooKeeper (llap0).")
        Optional<String> name = Optional.empty();

        @Option(
                names = "--conf",
                paramLabel = "DIR",
                description =
                        "Folder of core-site.xml, yarn-site.xml, hive-site.xml and skep-site.xml, which override those"
                                + " of HADOOP_CONF_DIR.")
        Optional<String> conf = Optional.empty();
    }

    /** The size of a daemon. */
    static final class Size {
        @Option(
                names = "--memory",
                paramLabel = "SIZE",
                converter = Memory.class,
                description = "Memory of a daemon's container (4 gb).")
        @Nullable
        Long memory;

        @Option(names = "--cores", paramLabel = "N", converter = Cores.class, description = "Cores of a daemon (4).")
        @Nullable
        Integer cores;

        /** The bytes of a container, in whole megabytes. */
        Optional<Long> wholeMegabytes() {
            return Optional.ofNullable(memory).map(bytes -> bytes / MB * MB);
        }

        Optional<Integer> cores() {
            return Optional.ofNullable(cores);
        }
    }

    /** How many daemons are wanted. */
    static final class Instances {
        @Option(
                names = "--instances",
                paramLabel = "N",
                required = true,
                converter = InstanceCount.class,
                description = "Number of daemons.")
        int count;
    }

    /** How long the command waits for the result. */
    static final class Wait {
        @Option(
                names = "--wait",
                paramLabel = "SECONDS",
                converter = SettingValue.Seconds.class,
                description = "How long to wait for the result (300).")
        int seconds = 300;
    }

    static final class Memory extends SettingValue<Long> {
        Memory() {
            super(PropertyType.size(MB, Long.MAX_VALUE));
        }
    }

    static final class Cores extends SettingValue<Integer> {
        Cores() {
            super(PropertyType.integer(1, MAX_CORES));
        }
    }

    static final class InstanceCount extends SettingValue<Integer> {
        InstanceCount() {
            super(PropertyType.integer(1, MAX_INSTANCES));
        }
    }
}
