package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import java.util.Arrays;

/** Encodes and decodes the message Type. */
final class TypeCodec {
    private TypeCodec() {}

    static void write(MessageWriter out, SqlType type) {
        switch (type) {
            case PrimitiveType t -> out.text(1, t.displayName());
            case DecimalType t ->
                out.message(2, t, (m, v) -> m.integer(1, v.precision()).integer(2, v.scale()));
            case CharType t -> out.integer(3, t.length());
            case VarcharType t -> out.integer(4, t.length());
            case ArrayType t -> out.message(5, t.element(), TypeCodec::write);
            case MapType t ->
                out.message(
                        6,
                        t,
                        (m, v) -> m.message(1, v.key(), TypeCodec::write).message(2, v.value(), TypeCodec::write));
            case StructType t -> out.message(7, t, (m, v) -> m.messages(1, v.fields(), TypeCodec::writeField));
            case UnionType t -> out.message(8, t, (m, v) -> m.messages(1, v.alternatives(), TypeCodec::write));
        }
    }

    private static void writeField(MessageWriter out, StructType.Field field) {
        out.text(1, field.name()).message(2, field.type(), TypeCodec::write);
    }

    static SqlType read(MessageReader in) {
        if (in.has(1)) {
            return primitive(in.text(1));
        }
        if (in.has(2)) {
            return in.message(2, m -> new DecimalType(m.number(1), m.number(2)));
        }
        if (in.has(3)) {
            return new CharType(in.number(3));
        }
        if (in.has(4)) {
            return new VarcharType(in.number(4));
        }
        if (in.has(5)) {
            return new ArrayType(in.message(5, TypeCodec::read));
        }
        if (in.has(6)) {
            return in.message(6, m -> new MapType(m.message(1, TypeCodec::read), m.message(2, TypeCodec::read)));
        }
        if (in.has(7)) {
            return in.message(7, m -> new StructType(m.messages(1, TypeCodec::readField)));
        }
        if (in.has(8)) {
            return in.message(8, m -> new UnionType(m.messages(1, TypeCodec::read)));
        }
        throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a plan holds a type of unknown kind");
    }

    private static StructType.Field readField(MessageReader in) {
        return new StructType.Field(in.text(1), in.message(2, TypeCodec::read));
    }

    private static PrimitiveType primitive(String name) {
        return Arrays.stream(PrimitiveType.values())
                .filter(type -> type.displayName().equals(name))
                .findFirst()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.DAMAGED_MESSAGE, "a plan holds the unknown type '" + name + "'"));
    }
}
