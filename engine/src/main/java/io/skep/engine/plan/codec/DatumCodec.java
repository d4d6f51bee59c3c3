package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import java.math.BigInteger;
import java.util.List;

/** Encodes and decodes the messages Datum and Datums. */
final class DatumCodec {
    private DatumCodec() {}

    static void write(MessageWriter out, Datum datum) {
        switch (datum) {
            case Datum.Null n -> out.bool(1, true);
            case Datum.OfLong v -> out.signed(2, v.value());
            case Datum.OfDouble v -> out.real(3, v.value());
            case Datum.OfBytes v -> out.bytes(4, v.value());
            case Datum.OfDecimal v -> out.bytes(5, v.unscaled().toByteArray());
            case Datum.OfTimestamp v ->
                out.message(6, v, (m, t) -> m.signed(1, t.seconds()).integer(2, t.nanos()));
            case Datum.OfList v -> out.message(7, v.values(), DatumCodec::writeAll);
            case Datum.OfMap v ->
                out.message(
                        8,
                        v,
                        (m, t) ->
                                m.messages(1, t.keys(), DatumCodec::write).messages(2, t.values(), DatumCodec::write));
            case Datum.OfUnion v ->
                out.message(9, v, (m, t) -> m.integer(1, t.tag()).message(2, t.value(), DatumCodec::write));
        }
    }

    static void writeAll(MessageWriter out, List<Datum> datums) {
        out.messages(1, datums, DatumCodec::write);
    }

    static List<Datum> readAll(MessageReader in) {
        return in.messages(1, DatumCodec::read);
    }

    static Datum read(MessageReader in) {
        if (in.has(1)) {
            return Datum.NULL;
        }
        if (in.has(2)) {
            return new Datum.OfLong(in.signed(2));
        }
        if (in.has(3)) {
            return new Datum.OfDouble(in.real(3));
        }
        if (in.has(4)) {
            return new Datum.OfBytes(in.bytes(4).toByteArray());
        }
        if (in.has(5)) {
            return new Datum.OfDecimal(new BigInteger(in.bytes(5).toByteArray()));
        }
        if (in.has(6)) {
            return in.message(6, m -> new Datum.OfTimestamp(m.signed(1), m.number(2)));
        }
        if (in.has(7)) {
            return new Datum.OfList(in.message(7, DatumCodec::readAll));
        }
        if (in.has(8)) {
            return in.message(
                    8, m -> new Datum.OfMap(m.messages(1, DatumCodec::read), m.messages(2, DatumCodec::read)));
        }
        if (in.has(9)) {
            return in.message(9, m -> new Datum.OfUnion(m.number(1), m.message(2, DatumCodec::read)));
        }
        throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a plan holds a value of unknown kind");
    }
}
