package io.skep.storage.text;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Decodes the requested fields of lines into batches. */
final class TextBatches implements BatchIterator {
    private final Lines lines;
    private final String path;
    private final TextFormat format;
    private final List<Target> targets = new ArrayList<>();
    private final List<VectorAppender> appenders = new ArrayList<>();
    private final @Nullable VectorAppender offsets;
    private final int batchRows;
    private final int fieldsNeeded;
    private final int[] starts;
    private final int[] lengths;
    /** The lines that may belong to the footer. */
    private final Deque<Line> held = new ArrayDeque<>();

    private boolean hasLine;
    private boolean closed;

    /** The destination of a requested column's values. A column that the file lacks is null. */
    private record Target(int field, FieldDecoder decoder, VectorAppender appender) {}

    private record Line(byte[] bytes, long offset) {}

    TextBatches(Lines lines, TextFormat format, Split split, List<Integer> columns, ZoneId zone, int batchRows) {
        this.lines = lines;
        this.path = split.file().path();
        this.format = format;
        this.batchRows = batchRows;
        int fields = fields(split).size();
        int last = -1;
        VectorAppender ofOffsets = null;
        for (int column : columns) {
            Column described = split.fileColumns().get(column);
            VectorAppender appender = VectorAppender.of(described.type());
            appenders.add(appender);
            if (column == fields) {
                ofOffsets = appender;
            } else {
                last = Math.max(last, column);
                targets.add(new Target(column, FieldDecoder.of(described.type(), format, zone), appender));
            }
        }
        this.offsets = ofOffsets;
        this.fieldsNeeded = last + 1;
        this.starts = new int[fieldsNeeded];
        this.lengths = new int[fieldsNeeded];
        for (int i = 0; i < format.footerLines() && lines.next(); i++) {
            hold();
        }
        advance();
    }

    /** Returns the columns that are fields of lines. */
    static List<Column> fields(Split split) {
        List<Column> columns = split.fileColumns();
        boolean hasOffsets = !columns.isEmpty() && columns.getLast().equals(TextFileFormat.OFFSETS);
        return hasOffsets ? columns.subList(0, columns.size() - 1) : columns;
    }

    private void hold() {
        ScratchMemory.count(lines.length());
        byte[] bytes = Arrays.copyOfRange(lines.data(), lines.start(), lines.start() + lines.length());
        held.add(new Line(bytes, lines.offset()));
    }

    private void advance() {
        hasLine = lines.next();
        if (!hasLine) {
            close();
        }
    }

    @Override
    public boolean hasNext() {
        return hasLine;
    }

    @Override
    public Batch next() {
        if (!hasLine) {
            throw new NoSuchElementException();
        }
        int rows = 0;
        try {
            while (hasLine && rows < batchRows) {
                decodeLine();
                rows++;
                advance();
            }
        } catch (RuntimeException e) {
            // Hive's objects fail at some damaged values, such as a union without a tag.
            throw ReadErrors.of(path, "a line of text", e);
        }
        List<Vector> vectors = new ArrayList<>();
        appenders.forEach(appender -> vectors.add(appender.build()));
        return new Batch(vectors, rows);
    }

    @Override
    public long retainedBytes() {
        return lines.data().length
                + held.stream().mapToLong(line -> line.bytes().length).sum();
    }

    private void decodeLine() {
        if (format.footerLines() > 0) {
            hold();
            Line row = held.removeFirst();
            decode(row.bytes(), 0, row.bytes().length, row.offset());
            ScratchMemory.discount(row.bytes().length);
        } else {
            decode(lines.data(), lines.start(), lines.length(), lines.offset());
        }
    }

    private void decode(byte[] data, int from, int count, long offset) {
        if (offsets != null) {
            offsets.appendLong(offset);
        }
        if (format.isUtf8()) {
            decodeFields(data, from, count);
        } else {
            byte[] utf8 = new String(data, from, count, format.charset()).getBytes(StandardCharsets.UTF_8);
            decodeFields(utf8, 0, utf8.length);
        }
    }

    private void decodeFields(byte[] data, int from, int count) {
        int found = split(data, from, from + count);
        for (Target target : targets) {
            int field = target.field();
            if (field >= found || format.isNull(data, starts[field], lengths[field])) {
                target.appender().appendNull();
            } else {
                target.decoder().decode(data, starts[field], lengths[field], target.appender());
            }
        }
    }

    /** Finds the first fields of a line and returns their number. */
    private int split(byte[] data, int from, int end) {
        byte delimiter = format.fieldDelimiter();
        boolean escaped = format.parameters().isEscaped();
        byte escape = format.parameters().getEscapeChar();
        boolean takesRest = format.parameters().isLastColumnTakesRest();
        int columns = format.parameters().getColumnNames().size();
        int field = 0;
        int start = from;
        int at = from;
        while (field < fieldsNeeded) {
            boolean lastTakesRest = takesRest && field == columns - 1;
            while (at < end && (data[at] != delimiter || lastTakesRest)) {
                at += escaped && data[at] == escape && at + 1 < end ? 2 : 1;
            }
            starts[field] = start;
            lengths[field] = at - start;
            field++;
            if (at >= end) {
                break;
            }
            at++;
            start = at;
        }
        return field;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            lines.close();
        }
    }
}
