package io.skep.bench.scan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Runs the scan benchmarks one after another, and prints the memory that the process used. */
public final class ScanBench {
    private final long rows;
    private final Path folder;
    private final Consumer<String> out;

    /**
     * @param rows number of values of the cached sum; files have a tenth of it
     * @param folder folder for the files, which are kept
     */
    public ScanBench(long rows, Path folder, Consumer<String> out) {
        this.rows = rows;
        this.folder = folder;
        this.out = out;
    }

    public void run() throws Exception {
        ScanTables tables = new ScanTables();
        long fileRows = Math.max(1000, rows / 10);
        Files.createDirectories(folder);
        new CachedSum(rows, out).run();
        new ColdDecode(tables, fileRows, out).run(folder);
        new SingleMisses(tables, fileRows, out).run(folder);
        new ColdSearch(tables, fileRows, out).run(folder);
        new ScanResistance(tables, Math.max(1000, fileRows / 20), out).run(folder);
        new SecondTierScan(tables, Math.max(1000, fileRows / 8), out).run(folder);
        new DeletedRowsScan(tables, Math.max(1000, fileRows / 4), out).run(folder);
        out.accept(String.format(
                Locale.ROOT, "peak resident %,d MB, heap limit %,d MB", peakResident() >> 20, heapLimit() >> 20));
    }

    private static long heapLimit() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Returns the kernel's high-water mark, or 0 when it has none. */
    private static long peakResident() throws IOException {
        Path status = Path.of("/proc/self/status");
        List<String> lines = Files.exists(status) ? Files.readAllLines(status) : List.of();
        for (String line : lines) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        return 0;
    }
}
