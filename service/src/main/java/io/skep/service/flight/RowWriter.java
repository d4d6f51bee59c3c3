package io.skep.service.flight;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Writes batches of one schema to a stream, which stays open. */
sealed interface RowWriter extends AutoCloseable {
    static RowWriter of(FlightQuery.Format format, Schema schema, BufferAllocator memory, OutputStream out)
            throws IOException {
        return switch (format) {
            case ARROW -> new Arrow(schema, memory, out);
            case CSV -> new Csv(schema, out);
        };
    }

    void write(VectorSchemaRoot batch) throws IOException;

    /** Writes what is left, after the last batch. */
    void end() throws IOException;

    @Override
    void close();

    /** Arrow's streaming format. */
    final class Arrow implements RowWriter {
        private final VectorSchemaRoot root;
        private final ArrowStreamWriter writer;

        private Arrow(Schema schema, BufferAllocator memory, OutputStream out) throws IOException {
            this.root = VectorSchemaRoot.create(schema, memory);
            this.writer = new ArrowStreamWriter(root, null, out);
            writer.start();
        }

        @Override
        public void write(VectorSchemaRoot batch) throws IOException {
            try (ArrowRecordBatch moved = new VectorUnloader(batch).getRecordBatch()) {
                new VectorLoader(root).load(moved);
            }
            writer.writeBatch();
            root.clear();
        }

        @Override
        public void end() throws IOException {
            writer.end();
        }

        @Override
        public void close() {
            root.close();
        }
    }

    /** Lines with commas. */
    final class Csv implements RowWriter {
        private final Writer out;

        private Csv(Schema schema, OutputStream out) throws IOException {
            this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            line(schema.getFields().stream().map(Field::getName).map(Csv::text).toList());
        }

        private void line(List<String> cells) throws IOException {
            out.write(cells.stream().collect(Collectors.joining(",")));
            out.write('\n');
        }

        /** Returns a date as such, which Arrow has as a number of days. */
        private static @Nullable Object value(FieldVector column, int row) {
            return column instanceof DateDayVector days && !days.isNull(row)
                    ? LocalDate.ofEpochDay(days.get(row))
                    : column.getObject(row);
        }

        private static String text(@Nullable Object value) {
            if (value == null) {
                return "";
            }
            String text = value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value.toString();
            boolean quoted = text.isEmpty() || text.chars().anyMatch(one -> "\",\r\n".indexOf(one) >= 0);
            return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
        }

        @Override
        public void write(VectorSchemaRoot batch) throws IOException {
            for (int row = 0; row < batch.getRowCount(); row++) {
                List<String> cells = new ArrayList<>();
                for (FieldVector column : batch.getFieldVectors()) {
                    cells.add(text(value(column, row)));
                }
                line(cells);
            }
        }

        @Override
        public void end() throws IOException {
            out.flush();
        }

        @Override
        public void close() {}
    }
}
