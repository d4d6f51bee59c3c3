package io.skep.engine.plan.codec;

import com.google.protobuf.ByteString;
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
        return PlanProto.ColumnSummaries.newBuilder()
                .addAllColumns(Messages.convert(columns, SummaryCodec::write))
                .build()
                .toByteArray();
    }

    /** @throws io.skep.common.error.SkepException DAMAGED_MESSAGE if the bytes are not summaries */
    public static List<ColumnSummary> decode(byte[] bytes) {
        return Messages.read(
                PlanProto.ColumnSummaries.parser(),
                bytes,
                summaries -> Messages.convert(summaries.getColumnsList(), SummaryCodec::read));
    }

    private static PlanProto.ColumnSummary write(ColumnSummary summary) {
        PlanProto.ColumnSummary.Builder out = PlanProto.ColumnSummary.newBuilder()
                .setRows(summary.rows())
                .setNulls(summary.nulls())
                .setTotalLength(summary.totalLength())
                .setMaxLength(summary.maxLength())
                .setTrues(summary.trues())
                .setFalses(summary.falses());
        summary.low().ifPresent(low -> out.setLow(DatumCodec.write(low)));
        summary.high().ifPresent(high -> out.setHigh(DatumCodec.write(high)));
        summary.distinct().ifPresent(sketch -> out.setDistinctSketch(ByteString.copyFrom(sketch.bytes())));
        summary.histogram().ifPresent(histogram -> out.setHistogram(ByteString.copyFrom(histogram.bytes())));
        return out.build();
    }

    private static ColumnSummary read(PlanProto.ColumnSummary summary) {
        return new ColumnSummary(
                summary.getRows(),
                summary.getNulls(),
                summary.hasLow() ? Optional.of(DatumCodec.read(summary.getLow())) : Optional.empty(),
                summary.hasHigh() ? Optional.of(DatumCodec.read(summary.getHigh())) : Optional.empty(),
                summary.getTotalLength(),
                summary.getMaxLength(),
                summary.getTrues(),
                summary.getFalses(),
                summary.hasDistinctSketch()
                        ? Optional.of(
                                new DistinctSketch(summary.getDistinctSketch().toByteArray()))
                        : Optional.empty(),
                summary.hasHistogram()
                        ? Optional.of(new Histogram(summary.getHistogram().toByteArray()))
                        : Optional.empty());
    }
}
