package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;

/** Finds the native kernel of a function for argument types. */
public final class NativeFunctions {
    /** The plan name of field access: a struct or an array of structs, and the field's index as an int constant. */
    public static final String FIELD = "$field";

    private NativeFunctions() {}

    /**
     * Returns empty if the function has no kernel for these types.
     *
     * @param constants the values of constant arguments
     * @param type the type that the plan states
     */
    public static Optional<ScalarFunction> find(
            String name, List<SqlType> types, List<Optional<Datum>> constants, SqlType type) {
        return switch (name) {
            case FIELD -> Optional.of(new StructField(index(constants.get(1))));
            case "=", "==", "<>", "!=", "<", "<=", ">", ">=" -> comparison(name, types);
            case "<=>", "is_not_distinct_from" -> comparison("=", types).map(NullSafeEqual::new);
            case "is_distinct_from" ->
                comparison("=", types).map(equal -> new Composed(new NotFunction(), new NullSafeEqual(equal)));
            case "+", "-", "*", "/", "%", "mod", "pmod" -> arithmetic(name, types, type);
            case "isnull" -> Optional.of(new NullTest(true));
            case "isnotnull" -> Optional.of(new NullTest(false));
            case "istrue" -> truth(types, true, false);
            case "isnottrue" -> truth(types, true, true);
            case "isfalse" -> truth(types, false, false);
            case "isnotfalse" -> truth(types, false, true);
            case "enforce_constraint" -> constraint(constants);
            case "not", "!" ->
                types.getFirst() == PrimitiveType.BOOLEAN ? Optional.of(new NotFunction()) : Optional.empty();
            default -> textOrDate(name, types, constants, type);
        };
    }

    /** The native check has three arguments, as in plans of INSERT. The check with one argument is Hive's. */
    private static Optional<ScalarFunction> constraint(List<Optional<Datum>> constants) {
        return constants.size() == 3
                ? constants.get(2).map(text -> new ConstraintCheck(text.toString()))
                : Optional.empty();
    }

    private static Optional<ScalarFunction> textOrDate(
            String name, List<SqlType> types, List<Optional<Datum>> constants, SqlType type) {
        return switch (name) {
            case "index" -> Optional.of(new IndexFunction(type));
            case "negative" ->
                types.getFirst().equals(type) && isNumber(type) ? Optional.of(new Negation(type)) : Optional.empty();
            case "like" -> like(types, constants);
            case "regexp", "rlike" -> types.size() == 2 ? strings(types, new RegexpFunction()) : Optional.empty();
            case "regexp_replace" -> types.size() == 3 ? strings(types, new RegexpReplaceFunction()) : Optional.empty();
            case "regexp_extract" -> extract(types);
            case "split" -> types.size() == 2 ? strings(types, new SplitFunction()) : Optional.empty();
            case "substr", "substring", "mid" -> substring(types);
            case "upper", "ucase" -> strings(types, new LetterCase(true));
            case "lower", "lcase" -> strings(types, new LetterCase(false));
            case "length", "char_length", "character_length" -> strings(types, new LengthFunction(true));
            case "octet_length" -> strings(types, new LengthFunction(false));
            case "levenshtein" -> types.size() == 2 ? strings(types, new LevenshteinFunction()) : Optional.empty();
            case "concat", "||" -> strings(types, new ConcatFunction());
            case "year", "quarter", "month", "day", "dayofmonth", "hour", "minute", "second" -> part(name, types);
            case "date_add" -> days(types, PrimitiveType.INT, 1);
            case "date_sub" -> days(types, PrimitiveType.INT, -1);
            case "datediff" -> days(types, PrimitiveType.DATE, -1);
            default -> Optional.empty();
        };
    }

    private static int index(Optional<Datum> constant) {
        return (int) ((Datum.OfLong) constant.orElseThrow()).value();
    }

    private static boolean isNumber(SqlType type) {
        return type instanceof DecimalType
                || NativeCasts.isInteger(type)
                || type == PrimitiveType.FLOAT
                || type == PrimitiveType.DOUBLE;
    }

    private static Optional<ScalarFunction> like(List<SqlType> types, List<Optional<Datum>> constants) {
        if (types.size() != 2 || types.getFirst() != PrimitiveType.STRING) {
            return Optional.empty();
        }
        if (constants.get(1).isPresent() && constants.get(1).get() instanceof Datum.OfBytes pattern) {
            return Optional.of(new LikeFunction(pattern.value()));
        }
        return strings(types, new VaryingLikeFunction());
    }

    private static Optional<ScalarFunction> extract(List<SqlType> types) {
        boolean known = types.size() == 2 || types.size() == 3 && types.get(2) == PrimitiveType.INT;
        return known ? strings(types.subList(0, 2), new RegexpExtractFunction()) : Optional.empty();
    }

    private static Optional<ScalarFunction> substring(List<SqlType> types) {
        boolean known = types.getFirst() == PrimitiveType.STRING
                && types.stream().skip(1).allMatch(type -> type == PrimitiveType.INT);
        return known && types.size() > 1 ? Optional.of(new SubstringFunction()) : Optional.empty();
    }

    private static Optional<ScalarFunction> strings(List<SqlType> types, ScalarFunction kernel) {
        return types.stream().allMatch(type -> type == PrimitiveType.STRING) ? Optional.of(kernel) : Optional.empty();
    }

    private static Optional<ScalarFunction> part(String name, List<SqlType> types) {
        DatePart part = DatePart.of(name);
        boolean known = types.getFirst() == PrimitiveType.TIMESTAMP || types.getFirst() == PrimitiveType.DATE;
        boolean timeOfDate = types.getFirst() == PrimitiveType.DATE && part != null && part.isOfTime();
        return part != null && known && !timeOfDate ? Optional.of(part.kernel()) : Optional.empty();
    }

    private static Optional<ScalarFunction> days(List<SqlType> types, PrimitiveType second, int sign) {
        return types.equals(List.of(PrimitiveType.DATE, second))
                ? Optional.of(new DayArithmetic(sign))
                : Optional.empty();
    }

    private static Optional<ScalarFunction> comparison(String name, List<SqlType> types) {
        Comparison comparison = Comparison.of(name);
        boolean same = types.size() == 2 && types.get(0).equals(types.get(1)) && types.get(0) != PrimitiveType.VOID;
        return comparison != null && same ? comparison.kernel(types.getFirst()) : Optional.empty();
    }

    private static Optional<ScalarFunction> arithmetic(String name, List<SqlType> types, SqlType type) {
        Arithmetic arithmetic = Arithmetic.of(name);
        return arithmetic != null && types.size() == 2 ? arithmetic.kernel(types, type) : Optional.empty();
    }

    private static Optional<ScalarFunction> truth(List<SqlType> types, boolean truth, boolean negated) {
        return types.getFirst() == PrimitiveType.BOOLEAN
                ? Optional.of(new TruthTest(truth, negated))
                : Optional.empty();
    }
}
