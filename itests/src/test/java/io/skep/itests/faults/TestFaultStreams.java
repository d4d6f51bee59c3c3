package io.skep.itests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.tpch.TpchSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs streams of TPC-H's queries through a sequence of faults that a seed determines. Every answer is right, every
 * failure states its reason, and nothing is left at the end. docs/performance/faults.md says how to run it for longer.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class TestFaultStreams {
    private static final int SERVERS = 2;
    private static final int DAEMONS = 3;
    private static final int SECONDS = Integer.getInteger("skep.faults.seconds", 20);
    private static final int STREAMS = Integer.getInteger("skep.faults.streams", 2);
    private static final long SEED = Long.getLong("skep.faults.seed", 1);
    private static final double SCALE = Double.parseDouble(System.getProperty("skep.faults.scale", "0.01"));

    /**
     * The maximum duration of a fault. Some faults are longer than the timeout after which a process counts as lost,
     * some are shorter.
     */
    private static final int LONGEST_MILLIS = 8000;

    /** The maximum time between the end of a fault and the next one. */
    private static final int LONGEST_PAUSE_MILLIS = 5000;

    @Test
    void everyAnswerIsRight(@TempDir Path folder) throws Exception {
        StreamStats tally = new StreamStats();
        try (StreamSite site = StreamSite.start(folder, SERVERS, DAEMONS)) {
            Path rows = Files.createDirectories(folder.resolve("rows"));
            try (TpchSuite tpch = TpchSuite.load(site.server(0).url(), rows, SCALE)) {
                stream(site, tpch, tally);
                site.awaitWhole();
                assertThat(site.leftovers()).isEmpty();
            }
        }
        System.out.println("seed " + SEED + ": " + tally.summary());
        tally.failures().forEach(System.out::println);
        assertThat(tally.wrongAnswers()).isEmpty();
        assertThat(tally.failures()).isEmpty();
        assertThat(tally.rightAnswers()).isPositive();
    }

    private static void stream(StreamSite site, TpchSuite tpch, StreamStats tally) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Future<?>> streams = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(STREAMS)) {
            for (int number = 0; number < STREAMS; number++) {
                streams.add(threads.submit(
                        new QueryStream(site, tpch, tally, SEED + number, () -> System.nanoTime() - end >= 0)));
            }
            Random random = new Random(SEED);
            List<Fault> faults = Fault.possible(site);
            while (System.nanoTime() - end < 0) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                tally.struck(fault);
                Fault.Repair repair = fault.inject(site, random);
                int millis = random.nextInt(LONGEST_MILLIS);
                System.out.printf(Locale.ROOT, "%s for %d ms; %s%n", fault, millis, tally.summary());
                Thread.sleep(millis);
                repair.run();
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
            }
        }
        for (Future<?> stream : streams) {
            stream.get();
        }
    }
}
