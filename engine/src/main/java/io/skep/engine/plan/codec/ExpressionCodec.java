package io.skep.engine.plan.codec;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;

/** Converts expressions to the messages Expression and Expressions and back. */
final class ExpressionCodec {
    private ExpressionCodec() {}

    static PlanProto.Expression write(Expression expression) {
        PlanProto.Expression.Builder out =
                PlanProto.Expression.newBuilder().setType(TypeCodec.write(expression.type()));
        return switch (expression) {
            case Expression.InputColumn e -> out.setColumn(e.index()).build();
            case Expression.Constant e ->
                out.setConstant(DatumCodec.write(e.value())).build();
            case Expression.Call e ->
                out.setCall(e.function())
                        .addAllOperands(Messages.convert(e.arguments(), ExpressionCodec::write))
                        .build();
            case Expression.Cast e ->
                out.setCast(true).addOperands(write(e.operand())).build();
            case Expression.And e ->
                out.setAnd(true)
                        .addAllOperands(Messages.convert(e.operands(), ExpressionCodec::write))
                        .build();
            case Expression.Or e ->
                out.setOr(true)
                        .addAllOperands(Messages.convert(e.operands(), ExpressionCodec::write))
                        .build();
            case Expression.Case e -> writeCase(out, e);
            case Expression.In e -> writeIn(out, e);
        };
    }

    private static PlanProto.Expression writeCase(PlanProto.Expression.Builder out, Expression.Case expression) {
        for (Expression.Case.Branch branch : expression.branches()) {
            out.addOperands(write(branch.condition())).addOperands(write(branch.value()));
        }
        return out.setCase(true).addOperands(write(expression.otherwise())).build();
    }

    private static PlanProto.Expression writeIn(PlanProto.Expression.Builder out, Expression.In expression) {
        for (Expression.Constant candidate : expression.candidates()) {
            out.addCandidates(DatumCodec.write(candidate.value())).addCandidateTypes(TypeCodec.write(candidate.type()));
        }
        return out.setIn(true).addOperands(write(expression.value())).build();
    }

    static PlanProto.Expressions writeAll(List<Expression> expressions) {
        return PlanProto.Expressions.newBuilder()
                .addAllExpressions(Messages.convert(expressions, ExpressionCodec::write))
                .build();
    }

    static List<Expression> readAll(PlanProto.Expressions expressions) {
        return Messages.convert(expressions.getExpressionsList(), ExpressionCodec::read);
    }

    static Expression read(PlanProto.Expression expression) {
        SqlType type = TypeCodec.read(expression.getType());
        List<Expression> operands = Messages.convert(expression.getOperandsList(), ExpressionCodec::read);
        return switch (expression.getKindCase()) {
            case COLUMN -> new Expression.InputColumn(expression.getColumn(), type);
            case CONSTANT -> new Expression.Constant(DatumCodec.read(expression.getConstant()), type);
            case CALL -> new Expression.Call(expression.getCall(), operands, type);
            case CAST -> new Expression.Cast(operands.getFirst(), type);
            case AND -> new Expression.And(operands);
            case OR -> new Expression.Or(operands);
            case CASE -> readCase(operands);
            case IN -> readIn(expression, operands.getFirst());
            case KIND_NOT_SET -> throw Messages.unknown("an expression");
        };
    }

    private static Expression readCase(List<Expression> parts) {
        List<Expression.Case.Branch> branches = new ArrayList<>();
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            branches.add(new Expression.Case.Branch(parts.get(i), parts.get(i + 1)));
        }
        return new Expression.Case(branches, parts.getLast());
    }

    private static Expression readIn(PlanProto.Expression expression, Expression value) {
        List<Expression.Constant> candidates = new ArrayList<>(expression.getCandidatesCount());
        for (int i = 0; i < expression.getCandidatesCount(); i++) {
            candidates.add(new Expression.Constant(
                    DatumCodec.read(expression.getCandidates(i)), TypeCodec.read(expression.getCandidateTypes(i))));
        }
        return new Expression.In(value, candidates);
    }
}
