package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.VectorAppender;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;

/** Converters of nested columns. Parquet's record reader calls them, and they append to vectors. */
final class Converters {
    private Converters() {}

    static Converter of(Type file, SqlType wanted, FileZones zones, VectorAppender out) {
        if (file.isRepetition(Type.Repetition.REPEATED) && wanted instanceof ArrayType array) {
            return repeated(file, array.element(), zones, out);
        }
        return value(file, wanted, zones, out);
    }

    private static Converter value(Type file, SqlType wanted, FileZones zones, VectorAppender out) {
        return switch (wanted) {
            case ArrayType array when list(file) -> new ListConverter(file.asGroupType(), array, zones, out);
            case MapType map when map(file) -> new MapConverter(file.asGroupType(), map, zones, out);
            case StructType struct
            when !file.isPrimitive() -> new StructConverter(file.asGroupType(), struct, zones, out);
            default -> {
                if (!file.isPrimitive()) {
                    throw new SkepException(
                            StandardErrorCode.TYPE_MISMATCH,
                            "Parquet's group '" + file.getName() + "' is no " + wanted);
                }
                yield new LeafConverter(file.asPrimitiveType(), wanted, zones, out);
            }
        };
    }

    private static boolean list(Type file) {
        return !file.isPrimitive()
                && (file.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation
                        || file.asGroupType().getFieldCount() == 1)
                && file.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED);
    }

    private static boolean map(Type file) {
        return !file.isPrimitive()
                && (file.getLogicalTypeAnnotation() instanceof MapLogicalTypeAnnotation
                        || file.getLogicalTypeAnnotation() instanceof MapKeyValueTypeAnnotation
                        || file.asGroupType().getFieldCount() == 1)
                && file.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED)
                && !file.asGroupType().getType(0).isPrimitive();
    }

    /**
     * Converts a repeated field without a list group. Each call appends one element. The enclosing converter finishes
     * the list's row.
     */
    private static Converter repeated(Type file, SqlType element, FileZones zones, VectorAppender out) {
        return value(file, element, zones, out.child(0));
    }

    /** {@code group (LIST) { repeated ... }} in its three-level form and in the older two-level forms. */
    private static final class ListConverter extends GroupConverter {
        private final VectorAppender out;
        private final Converter repeated;

        ListConverter(GroupType file, ArrayType type, FileZones zones, VectorAppender out) {
            this.out = out;
            Type repeatedType = file.getType(0);
            this.repeated = threeLevels(file, repeatedType, type.element())
                    ? new ElementConverter(repeatedType.asGroupType().getType(0), type.element(), zones, out.child(0))
                    : value(repeatedType, type.element(), zones, out.child(0));
        }

        /** Implements the rules of Parquet's format for lists of old writers. */
        private static boolean threeLevels(GroupType list, Type repeated, SqlType element) {
            if (repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 1) {
                return false;
            }
            String name = repeated.getName();
            boolean structOfOne = element instanceof StructType struct
                    && struct.fields().size() == 1
                    && struct.fields()
                            .getFirst()
                            .name()
                            .equalsIgnoreCase(repeated.asGroupType().getType(0).getName())
                    && repeated.asGroupType().getType(0).isPrimitive();
            return !name.equals("array") && !name.equals(list.getName() + "_tuple") && !structOfOne;
        }

        @Override
        public Converter getConverter(int field) {
            return repeated;
        }

        @Override
        public void start() {}

        @Override
        public void end() {
            out.endRow();
        }
    }

    /** The middle level of a list, whose element may be null. */
    private static final class ElementConverter extends GroupConverter {
        private final VectorAppender elements;
        private final Converter converter;
        private int before;

        ElementConverter(Type file, SqlType type, FileZones zones, VectorAppender elements) {
            this.elements = elements;
            this.converter = of(file, type, zones, elements);
        }

        @Override
        public Converter getConverter(int field) {
            return converter;
        }

        @Override
        public void start() {
            before = elements.length();
        }

        @Override
        public void end() {
            if (elements.length() == before) {
                elements.appendNull();
            }
        }
    }

    private static final class MapConverter extends GroupConverter {
        private final VectorAppender out;
        private final Converter entries;

        MapConverter(GroupType file, MapType type, FileZones zones, VectorAppender out) {
            this.out = out;
            this.entries = new EntryConverter(file.getType(0).asGroupType(), type, zones, out);
        }

        @Override
        public Converter getConverter(int field) {
            return entries;
        }

        @Override
        public void start() {}

        @Override
        public void end() {
            out.endRow();
        }
    }

    private static final class EntryConverter extends GroupConverter {
        private final VectorAppender keys;
        private final VectorAppender values;
        private final List<Converter> converters = new ArrayList<>();
        private int before;

        EntryConverter(GroupType file, MapType type, FileZones zones, VectorAppender out) {
            this.keys = out.child(0);
            this.values = out.child(1);
            converters.add(of(file.getType(0), type.key(), zones, keys));
            if (file.getFieldCount() > 1) {
                converters.add(of(file.getType(1), type.value(), zones, values));
            }
        }

        @Override
        public Converter getConverter(int field) {
            return converters.get(field);
        }

        @Override
        public void start() {
            before = keys.length();
        }

        @Override
        public void end() {
            if (keys.length() == before) {
                keys.appendNull();
            }
            if (values.length() == before) {
                values.appendNull();
            }
        }
    }

    /** Converts a struct, or the root of a file whose columns are its fields. Fields that the file lacks are null. */
    static final class StructConverter extends GroupConverter {
        private final VectorAppender out;
        private final List<Converter> converters = new ArrayList<>();
        private final List<VectorAppender> fields = new ArrayList<>();
        private final List<Boolean> bareLists = new ArrayList<>();

        StructConverter(GroupType file, StructType type, FileZones zones, VectorAppender out) {
            this.out = out;
            for (int i = 0; i < type.fields().size(); i++) {
                fields.add(out.child(i));
                bareLists.add(false);
            }
            for (Type field : file.getFields()) {
                int index = index(type, field.getName());
                if (index < 0) {
                    converters.add(field.isPrimitive() ? new SkippedLeaf() : new Skipped(field));
                } else {
                    SqlType wanted = type.fields().get(index).type();
                    bareLists.set(index, field.isRepetition(Type.Repetition.REPEATED) && wanted instanceof ArrayType);
                    converters.add(of(field, wanted, zones, out.child(index)));
                }
            }
        }

        private static int index(StructType type, String name) {
            for (int i = 0; i < type.fields().size(); i++) {
                if (type.fields().get(i).name().equalsIgnoreCase(name)) {
                    return i;
                }
            }
            return -1;
        }

        @Override
        public Converter getConverter(int field) {
            return converters.get(field);
        }

        @Override
        public void start() {}

        @Override
        public void end() {
            int rows = out.length();
            for (int i = 0; i < fields.size(); i++) {
                if (bareLists.get(i)) {
                    fields.get(i).endRow();
                } else if (fields.get(i).length() == rows) {
                    fields.get(i).appendNull();
                }
            }
            out.endRow();
        }
    }

    /** Skips a field of the file that was not requested. */
    private static final class Skipped extends GroupConverter {
        private final List<Converter> children = new ArrayList<>();

        Skipped(Type field) {
            for (Type child : field.asGroupType().getFields()) {
                children.add(child.isPrimitive() ? new SkippedLeaf() : new Skipped(child));
            }
        }

        @Override
        public Converter getConverter(int field) {
            return children.get(field);
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
    }

    private static final class SkippedLeaf extends PrimitiveConverter {
        @Override
        public void addBinary(Binary value) {}

        @Override
        public void addBoolean(boolean value) {}

        @Override
        public void addDouble(double value) {}

        @Override
        public void addFloat(float value) {}

        @Override
        public void addInt(int value) {}

        @Override
        public void addLong(long value) {}
    }
}
