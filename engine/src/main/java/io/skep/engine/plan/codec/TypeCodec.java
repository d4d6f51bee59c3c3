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

/** Converts types to the message Type and back. */
final class TypeCodec {
    private TypeCodec() {}

    static PlanProto.Type write(SqlType type) {
        PlanProto.Type.Builder out = PlanProto.Type.newBuilder();
        return switch (type) {
            case PrimitiveType t -> out.setPrimitive(t.displayName()).build();
            case DecimalType t -> out.setDecimal(decimal(t)).build();
            case CharType t -> out.setChar(t.length()).build();
            case VarcharType t -> out.setVarchar(t.length()).build();
            case ArrayType t -> out.setArray(write(t.element())).build();
            case MapType t -> out.setMap(map(t)).build();
            case StructType t -> out.setStruct(struct(t)).build();
            case UnionType t -> out.setUnion(union(t)).build();
        };
    }

    static SqlType read(PlanProto.Type type) {
        return switch (type.getKindCase()) {
            case PRIMITIVE -> primitive(type.getPrimitive());
            case DECIMAL ->
                new DecimalType(
                        type.getDecimal().getPrecision(), type.getDecimal().getScale());
            case CHAR -> new CharType(type.getChar());
            case VARCHAR -> new VarcharType(type.getVarchar());
            case ARRAY -> new ArrayType(read(type.getArray()));
            case MAP ->
                new MapType(read(type.getMap().getKey()), read(type.getMap().getValue()));
            case STRUCT -> new StructType(Messages.convert(type.getStruct().getFieldsList(), TypeCodec::field));
            case UNION -> new UnionType(Messages.convert(type.getUnion().getAlternativesList(), TypeCodec::read));
            case KIND_NOT_SET -> throw Messages.unknown("a type");
        };
    }

    private static PlanProto.Decimal decimal(DecimalType type) {
        return PlanProto.Decimal.newBuilder()
                .setPrecision(type.precision())
                .setScale(type.scale())
                .build();
    }

    private static PlanProto.MapType map(MapType type) {
        return PlanProto.MapType.newBuilder()
                .setKey(write(type.key()))
                .setValue(write(type.value()))
                .build();
    }

    private static PlanProto.StructType struct(StructType type) {
        return PlanProto.StructType.newBuilder()
                .addAllFields(Messages.convert(type.fields(), TypeCodec::field))
                .build();
    }

    private static PlanProto.Column field(StructType.Field field) {
        return PlanProto.Column.newBuilder()
                .setName(field.name())
                .setType(write(field.type()))
                .build();
    }

    private static StructType.Field field(PlanProto.Column field) {
        return new StructType.Field(field.getName(), read(field.getType()));
    }

    private static PlanProto.UnionType union(UnionType type) {
        return PlanProto.UnionType.newBuilder()
                .addAllAlternatives(Messages.convert(type.alternatives(), TypeCodec::write))
                .build();
    }

    private static PrimitiveType primitive(String name) {
        return Arrays.stream(PrimitiveType.values())
                .filter(type -> type.displayName().equals(name))
                .findFirst()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.DAMAGED_MESSAGE, "a plan holds the unknown type '" + name + "'"));
    }
}
