package io.skep.engine.plan;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.List;

/**
 * A typed expression over the columns of a plan node's input. It is fully resolved: every conversion is an explicit
 * {@link Cast}, and every function exists for exactly these argument types.
 */
public sealed interface Expression {
    SqlType type();

    /** Column {@code index} of the input. */
    record InputColumn(int index, SqlType type) implements Expression {}

    record Constant(Datum value, SqlType type) implements Expression {
        public static final Constant TRUE = new Constant(Datum.ofBoolean(true), PrimitiveType.BOOLEAN);
        public static final Constant FALSE = new Constant(Datum.ofBoolean(false), PrimitiveType.BOOLEAN);

        public static Constant ofNull(SqlType type) {
            return new Constant(Datum.NULL, type);
        }
    }

    /** A call of a function of the registry by its name there. The name of a user function includes its class. */
    record Call(String function, List<Expression> arguments, SqlType type) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** Hive's conversion. A value that cannot be converted becomes null. */
    record Cast(Expression operand, SqlType type) implements Expression {}

    /** Three-valued AND over two or more operands, left to right. */
    record And(List<Expression> operands) implements Expression {
        public And {
            operands = List.copyOf(operands);
        }

        @Override
        public SqlType type() {
            return PrimitiveType.BOOLEAN;
        }
    }

    /** Three-valued OR over two or more operands, left to right. */
    record Or(List<Expression> operands) implements Expression {
        public Or {
            operands = List.copyOf(operands);
        }

        @Override
        public SqlType type() {
            return PrimitiveType.BOOLEAN;
        }
    }

    /** The value of the first branch whose condition is true. Only branches that are taken are evaluated. */
    record Case(List<Branch> branches, Expression otherwise) implements Expression {
        public record Branch(Expression condition, Expression value) {}

        public Case {
            branches = List.copyOf(branches);
        }

        @Override
        public SqlType type() {
            return otherwise.type();
        }
    }

    /** Whether the value is one of some constants of its type, with SQL's null semantics. */
    record In(Expression value, List<Constant> candidates) implements Expression {
        public In {
            candidates = List.copyOf(candidates);
        }

        @Override
        public SqlType type() {
            return PrimitiveType.BOOLEAN;
        }
    }
}
