package io.skep.bench.hashtable;

import io.skep.bench.process.ForkedJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Runs the contenders, each in a separate JVM for each size. Prints one table per size with ratios to Skep's hash
 * table.
 */
public final class HashTableBench {
    public static final List<String> CONTENDERS = List.of("skep", "operators", "fastutil", "HashMap", "DuckDB");

    private static final int PROBES = 2_000_000;

    private final List<Integer> sizes;
    private final List<Integer> duplicates;
    private final List<String> contenders;
    private final String heap;
    private final Consumer<String> out;

    /**
     * @param duplicates percentage of duplicate keys in the build rows
     * @param heap heap size of each JVM, as in -Xmx
     */
    public HashTableBench(
            List<Integer> sizes, List<Integer> duplicates, List<String> contenders, String heap, Consumer<String> out) {
        this.sizes = List.copyOf(sizes);
        this.duplicates = List.copyOf(duplicates);
        this.contenders = List.copyOf(contenders);
        this.heap = heap;
        this.out = out;
    }

    /** @param kinds join, aggregation, small */
    public void run(List<String> kinds) throws IOException, InterruptedException {
        out.accept("Million rows a second of CPU time of one thread; medians."
                + " Skep's tables take batches and give row or group");
        out.accept("numbers; its operators, and DuckDB, take rows and give rows. Bytes are those beside the rows.");
        for (String kind : kinds) {
            for (int size : sizes) {
                table(kind, size);
            }
        }
    }

    private void table(String kind, int size) throws IOException, InterruptedException {
        List<Measurement> all = new ArrayList<>();
        List<String> peaks = new ArrayList<>();
        for (String contender : contenders) {
            List<Measurement.Case> cases = new ArrayList<>();
            for (int percent : duplicates) {
                cases.add(new Measurement.Case(kind, contender, size, percent, PROBES));
            }
            run(cases, all, peaks);
        }
        out.accept("");
        out.accept(String.format(Locale.ROOT, "%s, %,d rows", kind, size));
        out.accept(String.format(
                "%4s %-10s %10s %12s %8s %8s %8s %8s",
                "dup%", "", "bytes/row", "bytes/unique", "build", "probe", "whole", "skep is"));
        for (int percent : duplicates) {
            List<Measurement> same = all.stream()
                    .filter(each -> each.of().duplicatePercent() == percent)
                    .toList();
            same.forEach(each -> out.accept(row(each, same.getFirst())));
        }
        out.accept("peak memory: " + String.join(", ", peaks));
    }

    private void run(List<Measurement.Case> cases, List<Measurement> all, List<String> peaks)
            throws IOException, InterruptedException {
        String contender = cases.getFirst().contender();
        int exit = new ForkedJvm(List.of("-Xmx" + heap))
                .run(HashTableFork.class, HashTableFork.arguments(cases), line -> {
                    if (line.startsWith(HashTableFork.RESULT)) {
                        all.add(Measurement.parse(line.substring(HashTableFork.RESULT.length())));
                    } else if (line.startsWith(HashTableFork.PEAK)) {
                        long bytes = Long.parseLong(line.substring(HashTableFork.PEAK.length()));
                        peaks.add(contender + " " + (bytes >> 20) + " MB");
                    }
                });
        if (exit != 0) {
            out.accept(contender + " ended with " + exit);
        }
    }

    private static String row(Measurement measured, Measurement first) {
        Keys keys = measured.of().keys();
        boolean known = measured.overheadBytes() > 0;
        String sums = measured.sum() == first.sum() ? "" : " WRONG SUM";
        return String.format(
                Locale.ROOT,
                "%4d %-10s %10s %12s %8s %8s %8.1f %8s%s",
                measured.of().duplicatePercent(),
                measured.of().contender(),
                known ? number((double) measured.overheadBytes() / keys.rows()) : "",
                known ? number((double) measured.overheadBytes() / keys.unique()) : "",
                number(measured.buildRate()),
                number(measured.probeRate()),
                measured.wholeRate(),
                String.format(Locale.ROOT, "%.2f x", first.wholeRate() / measured.wholeRate()),
                sums);
    }

    private static String number(double value) {
        return value == 0 ? "" : String.format(Locale.ROOT, "%.1f", value);
    }
}
