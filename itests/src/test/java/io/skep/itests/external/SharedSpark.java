package io.skep.itests.external;

import io.skep.itests.SharedSite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.opentest4j.TestAbortedException;

/** Shares the one {@link SparkSite} of the run: to start a Spark takes as long as a class of tests with it. */
public final class SharedSpark extends SharedSite<SparkSite> {
    public SharedSpark() {
        super(SparkSite.class, SharedSpark::start, SparkSite::assertNothingIsLeft);
    }

    private static SparkSite start() {
        try {
            return SparkSite.start(Files.createTempDirectory("skep-spark"));
        } catch (TestAbortedException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("the server or Spark has not started", e);
        }
    }
}
