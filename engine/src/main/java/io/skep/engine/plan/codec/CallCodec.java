package io.skep.engine.plan.codec;

import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import java.util.OptionalInt;

/** Encodes and decodes the messages AggregateCall, WindowCall, Bound and SortKey. */
final class CallCodec {
    private CallCodec() {}

    static void writeSortKey(MessageWriter out, SortKey key) {
        out.integer(1, key.column()).bool(2, key.ascending()).bool(3, key.nullsFirst());
    }

    static SortKey readSortKey(MessageReader in) {
        return new SortKey(in.number(1), in.bool(2), in.bool(3));
    }

    static void writeAggregate(MessageWriter out, AggregateCall call) {
        out.text(1, call.function()).bool(2, call.distinct()).integers(3, call.arguments());
        call.filter().ifPresent(filter -> out.presentInteger(4, filter));
        out.messages(5, call.argumentTypes(), TypeCodec::write)
                .message(6, call.stateType(), TypeCodec::write)
                .message(7, call.type(), TypeCodec::write);
    }

    static AggregateCall readAggregate(MessageReader in) {
        return new AggregateCall(
                in.text(1),
                in.bool(2),
                in.integers(3),
                in.has(4) ? OptionalInt.of(in.number(4)) : OptionalInt.empty(),
                in.messages(5, TypeCodec::read),
                in.message(6, TypeCodec::read),
                in.message(7, TypeCodec::read));
    }

    static void writeWindow(MessageWriter out, WindowCall call) {
        out.text(1, call.function())
                .bool(2, call.distinct())
                .bool(3, call.ignoreNulls())
                .integers(4, call.arguments())
                .messages(5, call.argumentTypes(), TypeCodec::write)
                .integer(6, call.frame().unit().ordinal())
                .message(7, call.frame().start(), CallCodec::writeBound)
                .message(8, call.frame().end(), CallCodec::writeBound)
                .message(9, call.type(), TypeCodec::write);
    }

    static WindowCall readWindow(MessageReader in) {
        WindowCall.Frame frame = new WindowCall.Frame(
                WindowCall.Unit.values()[in.number(6)],
                in.message(7, CallCodec::readBound),
                in.message(8, CallCodec::readBound));
        return new WindowCall(
                in.text(1),
                in.bool(2),
                in.bool(3),
                in.integers(4),
                in.messages(5, TypeCodec::read),
                frame,
                in.message(9, TypeCodec::read));
    }

    private static void writeBound(MessageWriter out, WindowCall.Bound bound) {
        switch (bound) {
            case WindowCall.Bound.UnboundedPreceding b -> {}
            case WindowCall.Bound.UnboundedFollowing b -> out.integer(1, 1);
            case WindowCall.Bound.CurrentRow b -> out.integer(1, 2);
            case WindowCall.Bound.Offset b -> out.integer(1, 3).signed(2, b.rows());
        }
    }

    private static WindowCall.Bound readBound(MessageReader in) {
        return switch (in.number(1)) {
            case 0 -> new WindowCall.Bound.UnboundedPreceding();
            case 1 -> new WindowCall.Bound.UnboundedFollowing();
            case 2 -> new WindowCall.Bound.CurrentRow();
            default -> new WindowCall.Bound.Offset(in.signed(2));
        };
    }
}
