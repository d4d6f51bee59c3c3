package io.skep.common.type;

public record ArrayType(SqlType element) implements SqlType {
    @Override
    public String displayName() {
        return "array<" + element.displayName() + ">";
    }

    @Override
    public VectorKind vectorKind() {
        return VectorKind.LIST;
    }

    @Override
    public String toString() {
        return displayName();
    }
}
