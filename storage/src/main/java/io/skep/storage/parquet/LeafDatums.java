package io.skep.storage.parquet;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/** Converts single values of a file's leaf, from statistics and indexes, to the requested type. */
final class LeafDatums {
    private final PrimitiveType leaf;
    private final SqlType type;
    private final FileZones zones;
    private final VectorAppender appender;
    private final LeafConverter converter;

    LeafDatums(PrimitiveType leaf, SqlType type, FileZones zones) {
        this.leaf = leaf;
        this.type = type;
        this.zones = zones;
        this.appender = VectorAppender.of(type);
        this.converter = new LeafConverter(leaf, type, zones, appender);
    }

    /** Returns a copy for use by another thread. */
    LeafDatums another() {
        return new LeafDatums(leaf, type, zones);
    }

    SqlType type() {
        return type;
    }

    LeafConverter converter() {
        return converter;
    }

    VectorAppender appender() {
        return appender;
    }

    /** Whether some values of the leaf may become null in the requested type. */
    boolean losesValues() {
        return !LeafTypes.keepsAll(leaf, type);
    }

    /** Returns empty when the requested type cannot hold the value. */
    Optional<Datum> of(@Nullable Object value) {
        switch (value) {
            case Integer v -> converter.addInt(v);
            case Long v -> converter.addLong(v);
            case Float v -> converter.addFloat(v);
            case Double v -> converter.addDouble(v);
            case Boolean v -> converter.addBoolean(v);
            case Binary v -> converter.addBinary(v);
            case null, default -> {
                return Optional.empty();
            }
        }
        Vector one = appender.build();
        return one.isNull(0) ? Optional.empty() : Optional.of(Datum.of(one, 0, type));
    }

    /** Converts a value in the plain encoding, as page indexes store it. */
    Optional<Datum> ofPlain(ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return switch (leaf.getPrimitiveTypeName()) {
            case INT32 -> of(in.getInt());
            case INT64 -> of(in.getLong());
            case FLOAT -> of(in.getFloat());
            case DOUBLE -> of(in.getDouble());
            case BOOLEAN -> of(in.get() != 0);
            case BINARY, FIXED_LEN_BYTE_ARRAY -> of(Binary.fromConstantByteBuffer(in));
            case INT96 -> Optional.empty();
        };
    }
}
