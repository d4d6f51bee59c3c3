package io.skep.common.type;

import java.util.List;
import java.util.stream.Collectors;

public record UnionType(List<SqlType> alternatives) implements SqlType {
    public UnionType {
        alternatives = List.copyOf(alternatives);
    }

    @Override
    public String displayName() {
        return alternatives.stream().map(SqlType::displayName).collect(Collectors.joining(",", "uniontype<", ">"));
    }

    @Override
    public VectorKind vectorKind() {
        return VectorKind.UNION;
    }

    @Override
    public String toString() {
        return displayName();
    }
}
