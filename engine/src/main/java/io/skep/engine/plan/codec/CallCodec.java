package io.skep.engine.plan.codec;

import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import java.util.OptionalInt;

/** Converts calls of aggregate and window functions, and sort keys, to the messages of these names and back. */
final class CallCodec {
    private CallCodec() {}

    static PlanProto.SortKey writeSortKey(SortKey key) {
        return PlanProto.SortKey.newBuilder()
                .setColumn(key.column())
                .setAscending(key.ascending())
                .setNullsFirst(key.nullsFirst())
                .build();
    }

    static SortKey readSortKey(PlanProto.SortKey key) {
        return new SortKey(key.getColumn(), key.getAscending(), key.getNullsFirst());
    }

    static PlanProto.AggregateCall writeAggregate(AggregateCall call) {
        PlanProto.AggregateCall.Builder out = PlanProto.AggregateCall.newBuilder()
                .setFunction(call.function())
                .setDistinct(call.distinct())
                .addAllArguments(call.arguments())
                .addAllArgumentTypes(Messages.convert(call.argumentTypes(), TypeCodec::write))
                .setStateType(TypeCodec.write(call.stateType()))
                .setType(TypeCodec.write(call.type()));
        call.filter().ifPresent(out::setFilter);
        return out.build();
    }

    static AggregateCall readAggregate(PlanProto.AggregateCall call) {
        return new AggregateCall(
                call.getFunction(),
                call.getDistinct(),
                call.getArgumentsList(),
                call.hasFilter() ? OptionalInt.of(call.getFilter()) : OptionalInt.empty(),
                Messages.convert(call.getArgumentTypesList(), TypeCodec::read),
                TypeCodec.read(call.getStateType()),
                TypeCodec.read(call.getType()));
    }

    static PlanProto.WindowCall writeWindow(WindowCall call) {
        return PlanProto.WindowCall.newBuilder()
                .setFunction(call.function())
                .setDistinct(call.distinct())
                .setIgnoreNulls(call.ignoreNulls())
                .addAllArguments(call.arguments())
                .addAllArgumentTypes(Messages.convert(call.argumentTypes(), TypeCodec::write))
                .setUnit(PlanProto.WindowCall.Unit.valueOf(call.frame().unit().name()))
                .setStart(writeBound(call.frame().start()))
                .setEnd(writeBound(call.frame().end()))
                .setType(TypeCodec.write(call.type()))
                .build();
    }

    static WindowCall readWindow(PlanProto.WindowCall call) {
        WindowCall.Frame frame = new WindowCall.Frame(
                WindowCall.Unit.valueOf(call.getUnit().name()), readBound(call.getStart()), readBound(call.getEnd()));
        return new WindowCall(
                call.getFunction(),
                call.getDistinct(),
                call.getIgnoreNulls(),
                call.getArgumentsList(),
                Messages.convert(call.getArgumentTypesList(), TypeCodec::read),
                frame,
                TypeCodec.read(call.getType()));
    }

    private static PlanProto.Bound writeBound(WindowCall.Bound bound) {
        PlanProto.Bound.Builder out = PlanProto.Bound.newBuilder();
        return switch (bound) {
            case WindowCall.Bound.UnboundedPreceding _ ->
                out.setKind(PlanProto.Bound.Kind.UNBOUNDED_PRECEDING).build();
            case WindowCall.Bound.UnboundedFollowing _ ->
                out.setKind(PlanProto.Bound.Kind.UNBOUNDED_FOLLOWING).build();
            case WindowCall.Bound.CurrentRow _ ->
                out.setKind(PlanProto.Bound.Kind.CURRENT_ROW).build();
            case WindowCall.Bound.Offset b ->
                out.setKind(PlanProto.Bound.Kind.OFFSET).setOffset(b.rows()).build();
        };
    }

    private static WindowCall.Bound readBound(PlanProto.Bound bound) {
        return switch (bound.getKind()) {
            case UNBOUNDED_PRECEDING -> new WindowCall.Bound.UnboundedPreceding();
            case UNBOUNDED_FOLLOWING -> new WindowCall.Bound.UnboundedFollowing();
            case CURRENT_ROW -> new WindowCall.Bound.CurrentRow();
            case OFFSET -> new WindowCall.Bound.Offset(bound.getOffset());
            case UNRECOGNIZED -> throw Messages.unknown("the bound of a window");
        };
    }
}
