package io.skep.engine.function;

import io.skep.common.type.ArrayType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog.Argument;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Constant arguments of an aggregate, encoded in its plan name: {@code percentile_approx(1=0.5)}. Aggregate calls carry
 * columns only, but some of Hive's classes need the constant when they are initialized.
 *
 * @param function the plan name without the constants
 */
public record ConstantArguments(String function, List<Argument> arguments) {
    public ConstantArguments {
        arguments = List.copyOf(arguments);
    }

    /** Returns the plan name with the constants. */
    static String encode(String function, List<Argument> arguments) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < arguments.size(); i++) {
            Optional<Datum> constant = arguments.get(i).constant();
            if (constant.isPresent() && isPlain(constant.get())) {
                text.append(text.isEmpty() ? "(" : ",").append(i).append('=');
                write(constant.get(), text);
            }
        }
        return text.isEmpty() ? function : function + text + ")";
    }

    /** @param types of the arguments */
    public static ConstantArguments decode(String planName, List<SqlType> types) {
        int open = planName.indexOf('(');
        List<Argument> arguments =
                new ArrayList<>(types.stream().map(Argument::of).toList());
        if (open < 0) {
            return new ConstantArguments(planName, arguments);
        }
        Reader reader = new Reader(planName, open + 1);
        while (reader.position < planName.length()) {
            int index = Integer.parseInt(reader.until('='));
            SqlType type = types.get(index);
            arguments.set(index, new Argument(type, Optional.of(reader.value(type))));
            reader.position++;
        }
        return new ConstantArguments(planName.substring(0, open), arguments);
    }

    private static boolean isPlain(Datum value) {
        return switch (value) {
            case Datum.OfMap map -> false;
            case Datum.OfUnion union -> false;
            case Datum.OfTimestamp timestamp -> false;
            case Datum.OfList list -> list.values().stream().allMatch(ConstantArguments::isPlain);
            default -> true;
        };
    }

    private static void write(Datum value, StringBuilder text) {
        switch (value) {
            case Datum.OfLong v -> text.append(v.value());
            case Datum.OfDouble v -> text.append(v.value());
            case Datum.OfDecimal v -> text.append(v.unscaled());
            case Datum.OfBytes v -> text.append('x').append(HexFormat.of().formatHex(v.value()));
            case Datum.OfList v -> {
                text.append('[');
                v.values().forEach(element -> {
                    write(element, text);
                    text.append(';');
                });
                text.append(']');
            }
            default -> text.append("null");
        }
    }

    private static final class Reader {
        private final String text;
        private int position;

        private Reader(String text, int position) {
            this.text = text;
            this.position = position;
        }

        private String until(char end) {
            int from = position;
            position = text.indexOf(end, from) + 1;
            return text.substring(from, position - 1);
        }

        private Datum value(SqlType type) {
            if (text.charAt(position) == '[') {
                return list(type);
            }
            int from = position;
            while (",;)".indexOf(text.charAt(position)) < 0) {
                position++;
            }
            String value = text.substring(from, position);
            if (value.equals("null")) {
                return Datum.NULL;
            }
            return switch (type.vectorKind()) {
                case LONG -> new Datum.OfLong(Long.parseLong(value));
                case DOUBLE -> new Datum.OfDouble(Double.parseDouble(value));
                case DECIMAL128 -> new Datum.OfDecimal(new BigInteger(value));
                case BYTES -> new Datum.OfBytes(HexFormat.of().parseHex(value.substring(1)));
                case TIMESTAMP, LIST, MAP, STRUCT, UNION ->
                    throw new IllegalArgumentException("a constant of type " + type + " in " + text);
            };
        }

        private Datum list(SqlType type) {
            List<Datum> values = new ArrayList<>();
            position++;
            while (text.charAt(position) != ']') {
                SqlType part = type instanceof StructType struct
                        ? struct.fields().get(values.size()).type()
                        : ((ArrayType) type).element();
                values.add(value(part));
                position++;
            }
            position++;
            return new Datum.OfList(values);
        }
    }
}
