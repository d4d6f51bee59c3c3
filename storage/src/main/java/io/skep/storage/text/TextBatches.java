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

/** Decodes the requested fields of lines into batches. */
final class TextBatches implements BatchIterator {
    private final Lines lines;
    private final String path;
    private final TextFormat format;
    private final List<Target> targets = new ArrayList<>();
    private final int batchRows;
    private final int fieldsNeeded;
    private final int[] starts;
    private final int[] lengths;
    /** The lines that may belong to the footer. */
    private final Deque<byte[]> held = new ArrayDeque<>();

    private boolean hasLine;
    private boolean closed;

    /** The destination of a requested column's values. A column that the file lacks is null. */
    private record Target(int field, FieldDecoder decoder, VectorAppender appender) {}

    TextBatches(Lines lines, TextFormat format, Split split, List<Integer> columns, ZoneId zone, int batchRows) {
        this.lines = lines;
        this.path = split.file().path();
        this.format = format;
        this.batchRows = batchRows;
        int last = -1;
        for (int column : columns) {
            Column described = split.fileColumns().get(column);
            last = Math.max(last, column);
            targets.add(new Target(
                    column, FieldDecoder.of(described.type(), format, zone), VectorAppender.of(described.type())));
        }
        this.fieldsNeeded = last + 1;
        this.starts = new int[fieldsNeeded];
        this.lengths = new int[fieldsNeeded];
        for (int i = 0; i < format.footerLines() && lines.next(); i++) {
            hold();
        }
        advance();
    }

    private void hold() {
        ScratchMemory.count(lines.length());
        held.add(Arrays.copyOfRange(lines.data(), lines.start(), lines.start() + lines.length()));
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
        targets.forEach(target -> vectors.add(target.appender().build()));
        return new Batch(vectors, rows);
    }

    @Override
    public long retainedBytes() {
        return lines.data().length
                + held.stream().mapToLong(line -> line.length).sum();
    }

    private void decodeLine() {
        if (format.footerLines() > 0) {
            hold();
            byte[] row = held.removeFirst();
            decode(row, 0, row.length);
            ScratchMemory.discount(row.length);
        } else {
            decode(lines.data(), lines.start(), lines.length());
        }
    }

    private void decode(byte[] data, int from, int count) {
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
