package io.skep.storage.orc;

import io.skep.storage.file.RecordLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.CompressionKind;
import org.apache.orc.FileFormatException;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.OrcProto.Stream.Kind;
import org.apache.orc.StripeInformation;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.StreamName;
import org.apache.orc.impl.reader.ReaderEncryption;
import org.apache.orc.impl.reader.StripePlanner;
import org.jspecify.annotations.Nullable;

/**
 * Provides the streams of stripes to ORC's column readers. The streams fail at their ends, and the lengths that they
 * claim are checked before ORC allocates memory for them. Owned by one thread.
 */
final class CheckedStripes extends StripePlanner {
    /** The minimum size of a block of a compressed stream in the file: its header and one byte. */
    private static final int BLOCK_BYTES = 4;

    private static final int DECIMAL_BYTES = 80;
    private static final int VALUE_BYTES = 16;

    private final TypeDescription schema;
    private final CountingDataReader data;
    private final RecordLimit limit;
    private final List<LengthBound> bounds = new ArrayList<>();
    private OrcProto.StripeFooter footer = OrcProto.StripeFooter.getDefaultInstance();

    CheckedStripes(
            TypeDescription schema, CountingDataReader data, OrcFile.WriterVersion writerVersion, RecordLimit limit) {
        super(schema, new ReaderEncryption(), data, writerVersion, true, Integer.MAX_VALUE);
        this.schema = schema;
        this.data = data;
        this.limit = limit;
    }

    @Override
    public StripePlanner parseStripe(StripeInformation stripe, boolean[] included) throws IOException {
        bounds.clear();
        footer = data.readStripeFooter(stripe);
        super.parseStripe(stripe, included);
        for (int column = 0; column < included.length; column++) {
            if (included[column]) {
                checkDictionary(column);
            }
        }
        return this;
    }

    /** Dictionary entries are distinct, so each entry except one has at least one byte. */
    private void checkDictionary(int column) throws FileFormatException {
        int entries = getEncoding(column).getDictionarySize();
        if (dictionary(column) && (entries < 0 || entries > 1 + mostBytes(column, Kind.DICTIONARY_DATA))) {
            throw new FileFormatException(named(column) + " claims " + Integer.toUnsignedLong(entries)
                    + " entries of its dictionary, which has fewer bytes");
        }
        if (entries > limit.bytes() / Integer.BYTES) {
            throw limit.exceeded("the dictionary of " + named(column));
        }
    }

    /** Returns the bytes in the file of some columns' streams in the last stripe that was parsed. */
    long storedBytes(boolean[] columns) {
        return footer.getStreamsList().stream()
                .filter(stream -> stream.getColumn() < columns.length
                        && columns[stream.getColumn()]
                        && StreamName.getArea(stream.getKind()) == StreamName.Area.DATA)
                .mapToLong(OrcProto.Stream::getLength)
                .sum();
    }

    /** Must be called before each batch is read. */
    void beginBatch() {
        for (LengthBound bound : bounds) {
            bound.beginBatch();
        }
    }

    @Override
    public @Nullable InStream getStream(StreamName name) throws IOException {
        InStream stream = super.getStream(name);
        if (stream == null) {
            return null;
        }
        if (name.getKind() != Kind.LENGTH) {
            return new EndingStream(name, stream);
        }
        LengthBound bound = bound(name.getColumn());
        bounds.add(bound);
        return new LengthStream(
                name, stream, new LengthRuns(name, super.getStream(name), secondVersion(name.getColumn())), bound);
    }

    private LengthBound bound(int column) {
        TypeDescription type = schema.findSubtype(column);
        return switch (type.getCategory()) {
            case LIST, MAP ->
                new LengthBound(named(column), Long.MAX_VALUE, childBytes(type), limit, data.buffers(), false);
            default ->
                new LengthBound(
                        named(column),
                        mostBytes(column, dictionary(column) ? Kind.DICTIONARY_DATA : Kind.DATA),
                        1,
                        limit,
                        data.buffers(),
                        dictionary(column));
        };
    }

    private String named(int column) {
        return "column " + schema.findSubtype(column).getFullFieldName();
    }

    private boolean dictionary(int column) {
        return switch (getEncoding(column).getKind()) {
            case DICTIONARY, DICTIONARY_V2 -> true;
            case DIRECT, DIRECT_V2 -> false;
        };
    }

    private boolean secondVersion(int column) {
        return switch (getEncoding(column).getKind()) {
            case DIRECT_V2, DICTIONARY_V2 -> true;
            case DIRECT, DICTIONARY -> false;
        };
    }

    /** Returns the maximum size of a stream after decompression. */
    private long mostBytes(int column, Kind kind) {
        long length = 0;
        for (OrcProto.Stream stream : footer.getStreamsList()) {
            if (stream.getColumn() == column && stream.getKind() == kind) {
                length = Math.max(length, stream.getLength());
            }
        }
        InStream.StreamOptions options = data.getCompressionOptions();
        return options.getCodec() == null || options.getCodec().getKind() == CompressionKind.NONE
                ? length
                : Math.ceilDiv(length, BLOCK_BYTES) * options.getBufferSize();
    }

    /** Returns the memory that ORC's vectors use for each child of a list or map. */
    private static long childBytes(TypeDescription type) {
        long bytes = 0;
        for (TypeDescription child : type.getChildren()) {
            bytes += valueBytes(child);
        }
        return bytes;
    }

    private static long valueBytes(TypeDescription type) {
        return switch (type.getCategory()) {
            case DECIMAL -> DECIMAL_BYTES;
            case STRUCT, UNION -> VALUE_BYTES + childBytes(type);
            default -> VALUE_BYTES;
        };
    }
}
