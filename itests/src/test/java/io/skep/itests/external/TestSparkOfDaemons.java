package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.server.SparkProcess;
import io.skep.itests.server.StartedDaemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spark reads from daemons in processes of their own. */
@Timeout(180)
final class TestSparkOfDaemons {
    /** Sleeps within the read, so that it is under way when a daemon is killed. */
    private static final String SLOW = "SELECT count(n), count(DISTINCT n), sum(length(w)) FROM (SELECT n, w,"
            + " CASE WHEN n % 100 = 0 THEN java_method('java.lang.Thread', 'sleep', 20L) END AS s FROM wide)"
            + " WHERE s IS NULL OR s <> 'never'";

    @Test
    void aKilledDaemonsRowsComeOnceEach(@TempDir Path folder) throws Exception {
        try (DaemonSite site = new DaemonSite(folder);
                SparkProcess spark = SparkProcess.start(
                        SparkSite.java(),
                        folder.resolve("spark.log"),
                        SparkSite.catalog(site.url(), "root", "unused"));
                ExecutorService runner = Executors.newSingleThreadExecutor()) {
            spark.run("read wide\turl=" + site.url() + "\tquery=" + DaemonSite.WIDE + "\tnumPartitions=2");
            Future<List<String>> rows = runner.submit(() -> spark.run(SLOW));
            Polling.await("reads of both daemons")
                    .until(() -> rows.isDone() || site.daemons().stream().allMatch(TestSparkOfDaemons::isRead));
            assertThat(rows.isDone()).isFalse();
            site.daemons().get(0).kill();
            assertThat(rows.get()).containsExactly("40000\t40000\t40000000");
            assertThat(site.daemons().get(1).leftovers()).isEmpty();
        }
    }

    private static boolean isRead(StartedDaemon daemon) {
        try {
            return daemon.metric("Executors", "tasks") > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
