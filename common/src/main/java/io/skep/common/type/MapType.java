package io.skep.common.type;

public record MapType(SqlType key, SqlType value) implements SqlType {
    @Override
    public String displayName() {
        return "map<" + key.displayName() + "," + value.displayName() + ">";
    }

    @Override
    public VectorKind vectorKind() {
        return VectorKind.MAP;
    }

    @Override
    public String toString() {
        return displayName();
    }
}
