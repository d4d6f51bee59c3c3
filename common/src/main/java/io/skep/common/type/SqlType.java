package io.skep.common.type;

/** A type of HiveQL. Equal types are equal objects. {@link #displayName} is the text that the metastore stores. */
public sealed interface SqlType
        permits PrimitiveType, DecimalType, CharType, VarcharType, ArrayType, MapType, StructType, UnionType {
    /** Returns Hive's type text, in lower case: {@code decimal(10,2)}, {@code array<int>}. */
    String displayName();

    /** Returns the kind of vector that contains values of this type. */
    VectorKind vectorKind();
}
