package io.skep.common.type;

import java.util.List;
import java.util.stream.Collectors;

public record StructType(List<Field> fields) implements SqlType {
    /** A field. Its name is in lower case, as the metastore stores it. */
    public record Field(String name, SqlType type) {}

    public StructType {
        fields = List.copyOf(fields);
    }

    @Override
    public String displayName() {
        return fields.stream()
                .map(field -> field.name() + ":" + field.type().displayName())
                .collect(Collectors.joining(",", "struct<", ">"));
    }

    @Override
    public VectorKind vectorKind() {
        return VectorKind.STRUCT;
    }

    @Override
    public String toString() {
        return displayName();
    }
}
