package io.skep.engine.plan.codec;

import io.skep.storage.statistics.ColumnSummary;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.util.List;
import java.util.Optional;

/**
 * Encodes summaries of columns as bytes, in the form in which a write returns them to the component that started it.
 */
public final class SummaryCodec {
    private SummaryCodec() {}

    public static byte[] encode(List<ColumnSummary> columns) {
        return new MessageWriter().messages(1, columns, SummaryCodec::write).toByteArray();
    }

    /** @throws io.skep.common.error.SkepException DAMAGED_MESSAGE if the bytes are not summaries */
    public static List<ColumnSummary> decode(byte[] bytes) {
        return MessageReader.read(bytes, in -> in.messages(1, SummaryCodec::read));
    }

    private static void write(MessageWriter out, ColumnSummary summary) {
        out.integer(1, summary.rows()).integer(2, summary.nulls());
        summary.low().ifPresent(low -> out.message(3, low, DatumCodec::write));
        summary.high().ifPresent(high -> out.message(4, high, DatumCodec::write));
        out.integer(5, summary.totalLength())
                .integer(6, summary.maxLength())
                .integer(7, summary.trues())
                .integer(8, summary.falses());
        summary.distinct().ifPresent(sketch -> out.bytes(9, sketch.bytes()));
        summary.histogram().ifPresent(histogram -> out.bytes(10, histogram.bytes()));
    }

    private static ColumnSummary read(MessageReader in) {
        return new ColumnSummary(
                in.integer(1),
                in.integer(2),
                in.optionalMessage(3, DatumCodec::read),
                in.optionalMessage(4, DatumCodec::read),
                in.integer(5),
                in.integer(6),
                in.integer(7),
                in.integer(8),
                in.has(9) ? Optional.of(new DistinctSketch(in.bytes(9).toByteArray())) : Optional.empty(),
                in.has(10) ? Optional.of(new Histogram(in.bytes(10).toByteArray())) : Optional.empty());
    }
}
