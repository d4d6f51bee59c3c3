package io.skep.itests.fuzz;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

/** Files of tables, read as a whole. Where there are several formats, the first byte selects one. */
final class FileInputs implements InputReader {
    private static final long MEMORY_BYTES = 64L << 20;

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    private final DirectPageSourceFactory sources = new DirectPageSourceFactory(
            new FormatRegistry(files, ZoneOffset.UTC), files, new PartitionValues(ZoneOffset.UTC));
    private final MemoryPool memory = MemoryPool.root("fuzz", MEMORY_BYTES);
    private final List<TableLayout> tables;
    private final Path file;

    private FileInputs(List<TableLayout> tables, Path file) {
        this.tables = tables;
        this.file = file;
    }

    static FileInputs of(Layouts... layouts) {
        try {
            Path folder = Files.createTempDirectory("skep-fuzz");
            folder.toFile().deleteOnExit();
            Path file = folder.resolve("part");
            file.toFile().deleteOnExit();
            return new FileInputs(List.of(layouts).stream().map(Layouts::table).toList(), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void read(byte[] input) throws IOException {
        boolean many = tables.size() > 1;
        TableLayout table = tables.get(WireInputs.kind(input, tables.size()));
        Files.write(file, many ? WireInputs.rest(input) : input);
        Split split = new Split(
                files.status(file.toUri().toString()).version(),
                0,
                Files.size(file),
                table.format(),
                table.dataColumns(),
                List.of());
        List<Integer> all =
                IntStream.range(0, table.dataColumns().size()).boxed().toList();
        try (PageSource source = sources.open(new ScanRequest(table, all, List.of()), split, memory)) {
            for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                for (int column : all) {
                    batch.column(column);
                }
            }
        }
    }
}
