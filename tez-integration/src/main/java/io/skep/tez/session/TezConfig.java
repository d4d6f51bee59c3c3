package io.skep.tez.session;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.tez.wire.ContainerConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Settings for where Tez's application masters run, and how many are kept.
 *
 * @param local in the server's own process; otherwise in containers of YARN
 * @param queues of YARN in which masters are kept
 * @param mastersPerQueue how many are kept in each
 * @param startEarly whether they are started with the server, not with the first query
 * @param idle idle time after which a master in excess of those ends
 * @param silence how long a call to a master in a container waits for its answer
 */
public record TezConfig(
        boolean local, List<String> queues, int mastersPerQueue, boolean startEarly, Duration idle, Duration silence) {
    /** The queue of a session's queries. */
    public static final Property<String> QUEUE = new Property<>(
            "tez.queue.name",
            PropertyType.text(),
            "",
            "YARN queue of the application master that runs the session's queries; any queue of the server's "
                    + "masters when empty.");

    private static final Property<Boolean> LOCAL = new Property<>(
            "tez.local.mode",
            PropertyType.flag(),
            "true",
            "Whether Tez's application masters run in the server's process; otherwise each is a YARN application.");
    private static final Property<List<String>> QUEUES = new Property<>(
            "hive.server2.tez.default.queues",
            new PropertyType<>("queues with commas between them", TezConfig::names),
            "",
            "YARN queues of the application masters that the server keeps; that of tez.queue.name or 'default' "
                    + "when empty.");
    private static final Property<Integer> PER_QUEUE = new Property<>(
            "hive.server2.tez.sessions.per.default.queue",
            PropertyType.integer(0, 10_000),
            "1",
            "Application masters that the server keeps in each of these queues, also while they are idle.");
    private static final Property<Boolean> START_EARLY = new Property<>(
            "hive.server2.tez.initialize.default.sessions",
            PropertyType.flag(),
            "true",
            "Whether the server starts these application masters when it starts; otherwise the first queries "
                    + "start them.");
    private static final Property<Duration> IDLE = new Property<>(
            "tez.session.am.dag.submit.timeout.secs",
            PropertyType.time(Duration.ofSeconds(1)),
            "300",
            "Idle timeout of an application master in addition to those that the server keeps.");

    private static final Property<Duration> SILENCE = new Property<>(
            "skep.tez.master-timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "15s",
            "Timeout of a call to an application master on YARN. After two calls without an answer it is declared "
                    + "dead, and its query runs again.");

    /** Properties that are read when the server starts. */
    public static final List<Property<?>> PROPERTIES =
            List.of(LOCAL, QUEUES, PER_QUEUE, START_EARLY, IDLE, SILENCE, ContainerConfig.JAVA_OPTIONS);

    private static final String DEFAULT_QUEUE = "default";

    public TezConfig {
        queues = List.copyOf(queues);
    }

    private static List<String> names(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** Reads the settings. The reader reports what is wrong with them. */
    public static TezConfig of(SettingsReader reader) {
        List<String> queues = reader.read(QUEUES);
        String own = reader.read(QUEUE).strip();
        List<String> one = List.of(own.isEmpty() ? DEFAULT_QUEUE : own);
        return new TezConfig(
                reader.read(LOCAL),
                queues.isEmpty() ? one : queues,
                reader.read(PER_QUEUE),
                reader.read(START_EARLY),
                reader.read(IDLE),
                reader.read(SILENCE));
    }
}
