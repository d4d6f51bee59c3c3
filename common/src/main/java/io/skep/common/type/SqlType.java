package io.skep.common.type;

/** A type of HiveQL. Equal types are equal objects; {@link #displayName} is the text that the metastore keeps. */
public sealed interface SqlType
        permits PrimitiveType, DecimalType, CharType, VarcharType, ArrayType, MapType, StructType, UnionType {
    /** Hive's type text, in lower case: {@code decimal(10,2)}, {@code array<int>}. */
    String displayName();

    /** The vector class that holds values of this type. */
    VectorKind vectorKind();
}
