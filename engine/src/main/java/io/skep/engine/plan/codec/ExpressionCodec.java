package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes the messages Expression and Expressions. */
final class ExpressionCodec {
    private ExpressionCodec() {}

    static void write(MessageWriter out, Expression expression) {
        switch (expression) {
            case Expression.InputColumn e -> out.presentInteger(1, e.index());
            case Expression.Constant e -> out.message(2, e.value(), DatumCodec::write);
            case Expression.Call e -> out.presentText(3, e.function());
            case Expression.Cast e -> out.bool(4, true);
            case Expression.And e -> out.bool(5, true);
            case Expression.Or e -> out.bool(6, true);
            case Expression.Case e -> out.bool(7, true);
            case Expression.In e -> out.bool(8, true);
        }
        out.message(9, expression.type(), TypeCodec::write);
        out.messages(10, operands(expression), ExpressionCodec::write);
        if (expression instanceof Expression.In in) {
            in.candidates().forEach(candidate -> out.message(11, candidate.value(), DatumCodec::write));
            in.candidates().forEach(candidate -> out.message(12, candidate.type(), TypeCodec::write));
        }
    }

    private static List<Expression> operands(Expression expression) {
        return switch (expression) {
            case Expression.InputColumn e -> List.of();
            case Expression.Constant e -> List.of();
            case Expression.Call e -> e.arguments();
            case Expression.Cast e -> List.of(e.operand());
            case Expression.And e -> e.operands();
            case Expression.Or e -> e.operands();
            case Expression.In e -> List.of(e.value());
            case Expression.Case e -> {
                List<Expression> parts = new ArrayList<>();
                e.branches().forEach(branch -> {
                    parts.add(branch.condition());
                    parts.add(branch.value());
                });
                parts.add(e.otherwise());
                yield parts;
            }
        };
    }

    static void writeAll(MessageWriter out, List<Expression> expressions) {
        out.messages(1, expressions, ExpressionCodec::write);
    }

    static List<Expression> readAll(MessageReader in) {
        return in.messages(1, ExpressionCodec::read);
    }

    static Expression read(MessageReader in) {
        SqlType type = in.message(9, TypeCodec::read);
        List<Expression> operands = in.messages(10, ExpressionCodec::read);
        if (in.has(1)) {
            return new Expression.InputColumn(in.number(1), type);
        }
        if (in.has(2)) {
            return new Expression.Constant(in.message(2, DatumCodec::read), type);
        }
        if (in.has(3)) {
            return new Expression.Call(in.text(3), operands, type);
        }
        if (in.has(4)) {
            return new Expression.Cast(operands.getFirst(), type);
        }
        if (in.has(5)) {
            return new Expression.And(operands);
        }
        if (in.has(6)) {
            return new Expression.Or(operands);
        }
        if (in.has(7)) {
            return readCase(operands);
        }
        if (in.has(8)) {
            return readIn(in, operands.getFirst());
        }
        throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a plan holds an expression of unknown kind");
    }

    private static Expression readCase(List<Expression> parts) {
        List<Expression.Case.Branch> branches = new ArrayList<>();
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            branches.add(new Expression.Case.Branch(parts.get(i), parts.get(i + 1)));
        }
        return new Expression.Case(branches, parts.getLast());
    }

    private static Expression readIn(MessageReader in, Expression value) {
        List<io.skep.common.vector.Datum> values = in.messages(11, DatumCodec::read);
        List<SqlType> types = in.messages(12, TypeCodec::read);
        List<Expression.Constant> candidates = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            candidates.add(new Expression.Constant(values.get(i), types.get(i)));
        }
        return new Expression.In(value, candidates);
    }
}
