package io.skep.engine.plan.codec;

import com.google.protobuf.ByteString;
import io.skep.common.vector.Datum;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;

/** Converts values to the messages Datum and Datums and back. */
final class DatumCodec {
    private DatumCodec() {}

    static PlanProto.Datum write(Datum datum) {
        PlanProto.Datum.Builder out = PlanProto.Datum.newBuilder();
        return switch (datum) {
            case Datum.Null _ -> out.setNull(true).build();
            case Datum.OfLong v -> out.setLong(v.value()).build();
            case Datum.OfDouble v -> out.setDouble(v.value()).build();
            case Datum.OfBytes v -> out.setBytes(ByteString.copyFrom(v.value())).build();
            case Datum.OfDecimal v ->
                out.setDecimal(ByteString.copyFrom(v.unscaled().toByteArray())).build();
            case Datum.OfTimestamp v -> out.setTimestamp(timestamp(v)).build();
            case Datum.OfList v -> out.setList(writeAll(v.values())).build();
            case Datum.OfMap v -> out.setMap(map(v)).build();
            case Datum.OfUnion v -> out.setUnion(union(v)).build();
        };
    }

    static Datum read(PlanProto.Datum datum) {
        return switch (datum.getKindCase()) {
            case NULL -> Datum.NULL;
            case LONG -> new Datum.OfLong(datum.getLong());
            case DOUBLE -> new Datum.OfDouble(datum.getDouble());
            case BYTES -> new Datum.OfBytes(datum.getBytes().toByteArray());
            case DECIMAL ->
                new Datum.OfDecimal(new BigInteger(datum.getDecimal().toByteArray()));
            case TIMESTAMP -> timestamp(datum.getTimestamp());
            case LIST -> new Datum.OfList(readAll(datum.getList()));
            case MAP -> map(datum.getMap());
            case UNION ->
                new Datum.OfUnion(
                        datum.getUnion().getTag(), read(datum.getUnion().getValue()));
            case KIND_NOT_SET -> throw Messages.unknown("a value");
        };
    }

    static PlanProto.Datums writeAll(Collection<Datum> datums) {
        PlanProto.Datums.Builder out = PlanProto.Datums.newBuilder();
        datums.forEach(datum -> out.addValues(write(datum)));
        return out.build();
    }

    static List<Datum> readAll(PlanProto.Datums datums) {
        return Messages.convert(datums.getValuesList(), DatumCodec::read);
    }

    private static PlanProto.Timestamp timestamp(Datum.OfTimestamp value) {
        return PlanProto.Timestamp.newBuilder()
                .setSeconds(value.seconds())
                .setNanos(value.nanos())
                .build();
    }

    private static Datum timestamp(PlanProto.Timestamp value) {
        return new Datum.OfTimestamp(value.getSeconds(), value.getNanos());
    }

    private static PlanProto.Map map(Datum.OfMap value) {
        return PlanProto.Map.newBuilder()
                .addAllKeys(Messages.convert(value.keys(), DatumCodec::write))
                .addAllValues(Messages.convert(value.values(), DatumCodec::write))
                .build();
    }

    private static Datum map(PlanProto.Map value) {
        return new Datum.OfMap(
                Messages.convert(value.getKeysList(), DatumCodec::read),
                Messages.convert(value.getValuesList(), DatumCodec::read));
    }

    private static PlanProto.Union union(Datum.OfUnion value) {
        return PlanProto.Union.newBuilder()
                .setTag(value.tag())
                .setValue(write(value.value()))
                .build();
    }
}
