package io.skep.engine.plan.codec;

import io.skep.common.vector.Datum;
import io.skep.storage.scan.ColumnPredicate;
import java.util.Optional;

/** Converts predicates over columns of files to the message Predicate and back. */
final class PredicateCodec {
    private PredicateCodec() {}

    static PlanProto.Predicate write(ColumnPredicate predicate) {
        PlanProto.Predicate.Builder out = PlanProto.Predicate.newBuilder().setColumn(predicate.column());
        return switch (predicate) {
            case ColumnPredicate.Range p -> writeRange(out, p);
            case ColumnPredicate.In p ->
                out.setKind(PlanProto.Predicate.Kind.IN)
                        .addAllValues(Messages.convert(p.values(), DatumCodec::write))
                        .build();
            case ColumnPredicate.IsNull _ ->
                out.setKind(PlanProto.Predicate.Kind.IS_NULL).build();
            case ColumnPredicate.IsNotNull _ ->
                out.setKind(PlanProto.Predicate.Kind.IS_NOT_NULL).build();
        };
    }

    private static PlanProto.Predicate writeRange(PlanProto.Predicate.Builder out, ColumnPredicate.Range range) {
        out.setKind(PlanProto.Predicate.Kind.RANGE)
                .setLowInclusive(range.lowInclusive())
                .setHighInclusive(range.highInclusive());
        range.low().ifPresent(low -> out.setLow(DatumCodec.write(low)));
        range.high().ifPresent(high -> out.setHigh(DatumCodec.write(high)));
        return out.build();
    }

    static ColumnPredicate read(PlanProto.Predicate predicate) {
        int column = predicate.getColumn();
        return switch (predicate.getKind()) {
            case RANGE ->
                new ColumnPredicate.Range(
                        column,
                        predicate.hasLow() ? bound(predicate.getLow()) : Optional.empty(),
                        predicate.getLowInclusive(),
                        predicate.hasHigh() ? bound(predicate.getHigh()) : Optional.empty(),
                        predicate.getHighInclusive());
            case IN -> new ColumnPredicate.In(column, Messages.convert(predicate.getValuesList(), DatumCodec::read));
            case IS_NULL -> new ColumnPredicate.IsNull(column);
            case IS_NOT_NULL -> new ColumnPredicate.IsNotNull(column);
            case UNRECOGNIZED -> throw Messages.unknown("a predicate");
        };
    }

    private static Optional<Datum> bound(PlanProto.Datum value) {
        return Optional.of(DatumCodec.read(value));
    }
}
