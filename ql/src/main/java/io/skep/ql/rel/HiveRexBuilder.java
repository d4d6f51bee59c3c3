package io.skep.ql.rel;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Builds expressions with Hive's semantics: constants, conversions, calls of the registry's functions. */
public final class HiveRexBuilder extends RexBuilder {
    /**
     * The maximum number of values of an IN that the optimizer handles. A longer list becomes a single
     * {@link ConstantList}.
     */
    private static final int MAX_SOUGHT = 10_000;

    private final TypeMapping types;
    private final LiteralMapping literals;

    /** Atomic, because threads that use a cached plan share it. */
    private final AtomicInteger constantLists = new AtomicInteger();

    public HiveRexBuilder(HiveTypeFactory typeFactory, TypeMapping types) {
        super(typeFactory);
        this.types = types;
        this.literals = new LiteralMapping(this, types);
    }

    /** Every rewrite of the optimizer calls this method, so a cancelled compilation stops here. */
    @Override
    public RexNode makeCall(RelDataType type, SqlOperator operator, List<RexNode> operands) {
        Interruption.check();
        return super.makeCall(type, operator, operands);
    }

    @Override
    public RexNode makeCall(SqlOperator operator, List<? extends RexNode> operands) {
        Interruption.check();
        return super.makeCall(operator, operands);
    }

    /** Returns a constant. For complex types, only null is allowed. */
    public RexLiteral constant(Datum value, SqlType type) {
        return literals.toRex(value, type);
    }

    /** Returns a reference to a column of a row. */
    public RexNode column(int index, SqlType type) {
        return makeInputRef(types.toRel(type), index);
    }

    /** Returns a parameter for literals of one type, none of them null, whose values a plan may leave open. */
    public PlanParameter parameter(int index, List<RexLiteral> values, boolean placed) {
        return new PlanParameter(values.getFirst().getType(), index, values, placed);
    }

    /** Tests whether a value is in a list that is a plan parameter. */
    public RexNode inParameterList(RexNode value, PlanParameter list) {
        return inList(value, list);
    }

    private RexNode inList(RexNode value, RexDynamicParam list) {
        RelDataType type = typeFactory.createTypeWithNullability(
                types.notNull(PrimitiveType.BOOLEAN), value.getType().isNullable());
        return makeCall(type, HiveOperators.inList(type), List.of(value, list));
    }

    /** Tests whether a value equals one of some literals of its type. */
    public RexNode in(RexNode value, List<RexLiteral> literals) {
        return literals.stream().allMatch(literals.getFirst()::equals)
                ? makeCall(SqlStdOperatorTable.EQUALS, value, literals.getFirst())
                : makeIn(value, literals);
    }

    @Override
    public RexNode makeIn(RexNode value, List<? extends RexNode> candidates) {
        if (candidates.size() <= MAX_SOUGHT) {
            return super.makeIn(value, candidates);
        }
        List<RexLiteral> constants = new ArrayList<>(candidates.size());
        for (RexNode candidate : candidates) {
            Interruption.check();
            if (!(candidate instanceof RexLiteral literal) || literal.isNull()) {
                return super.makeIn(value, candidates);
            }
            constants.add(literal);
        }
        int index = Integer.MAX_VALUE - constantLists.getAndIncrement();
        return inList(value, new ConstantList(constants.getFirst().getType(), index, constants));
    }

    /** Returns a call of a registry function. */
    public RexNode call(String function, SqlType type, boolean deterministic, List<RexNode> arguments) {
        RelDataType relType = types.toRel(type);
        return makeCall(relType, new HiveFunction(function, relType, deterministic), arguments);
    }

    /** Converts a value to a type as Hive does. Returns the value itself if it already has that type. */
    public RexNode cast(RexNode value, SqlType target) {
        SqlType source = TypeMapping.toSql(value.getType());
        if (source.equals(target)) {
            return value;
        }
        RelDataType type = typeFactory.createTypeWithNullability(
                types.notNull(target), value.getType().isNullable() || !lossless(source, target));
        if (value instanceof RexLiteral literal) {
            RexNode folded = foldedCast(literal, source, target);
            if (folded != null) {
                return folded;
            }
        }
        if (lossless(source, target)) {
            return makeAbstractCast(type, value, false);
        }
        return makeCall(type, HiveOperators.cast(type), List.of(value));
    }

    private @Nullable RexNode foldedCast(RexLiteral literal, SqlType source, SqlType target) {
        if (literal.isNull()) {
            return constant(Datum.NULL, target);
        }
        if (!lossless(source, target)) {
            return null;
        }
        BigDecimal value = literal.getValueAs(BigDecimal.class);
        if (value == null) {
            return null;
        }
        if (isInteger(target)) {
            return constant(new Datum.OfLong(value.longValueExact()), target);
        }
        if (target instanceof DecimalType decimal) {
            return makeExactLiteral(value.setScale(decimal.scale()), types.notNull(target));
        }
        if (isInteger(source)) {
            return constant(new Datum.OfDouble(value.doubleValue()), target);
        }
        return null;
    }

    /** Returns a field of a struct, or of each struct of an array. */
    public RexNode field(RexNode value, String name, SqlType type) {
        RelDataType relType = types.toRel(type);
        RexNode position = constant(new Datum.OfLong(position(structOf(value), name)), PrimitiveType.INT);
        return makeCall(relType, HiveOperators.field(relType), List.of(value, position));
    }

    /** Returns the type of the struct, or of the structs in the array. */
    private static StructType structOf(RexNode value) {
        SqlType type = TypeMapping.toSql(value.getType());
        return (StructType) (type instanceof ArrayType array ? array.element() : type);
    }

    private static int position(StructType struct, String name) {
        for (int i = 0; i < struct.fields().size(); i++) {
            if (struct.fields().get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no field " + name + " in " + struct);
    }

    /** Whether a conversion only widens and preserves value and order, so that Calcite's CAST equals Hive's. */
    private static boolean lossless(SqlType source, SqlType target) {
        if (isInteger(source)) {
            return isInteger(target) && rank(source) < rank(target)
                    || target == PrimitiveType.DOUBLE && source != PrimitiveType.BIGINT
                    || target instanceof DecimalType decimal && decimal.precision() - decimal.scale() >= digits(source);
        }
        if (source instanceof DecimalType from && target instanceof DecimalType to) {
            return to.scale() >= from.scale() && to.precision() - to.scale() >= from.precision() - from.scale();
        }
        return source == PrimitiveType.FLOAT && target == PrimitiveType.DOUBLE;
    }

    private static boolean isInteger(SqlType type) {
        return type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT;
    }

    private static int rank(SqlType type) {
        return ((PrimitiveType) type).ordinal();
    }

    private static int digits(SqlType type) {
        return switch ((PrimitiveType) type) {
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INT -> 10;
            default -> 19;
        };
    }

    public RexNode isTrue(RexNode condition) {
        return makeCall(SqlStdOperatorTable.IS_TRUE, condition);
    }

    /** Whether two types differ at most in nullability. */
    public boolean sameType(RelDataType left, RelDataType right) {
        return SqlTypeUtil.equalSansNullability(typeFactory, left, right);
    }

    RexLiteral literal(Comparable<?> value, RelDataType type, SqlTypeName typeName) {
        return makeLiteral(value, type, typeName);
    }
}
