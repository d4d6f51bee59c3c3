package io.skep.engine.expression;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.scalar.Values;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Expression.And;
import io.skep.engine.plan.Expression.Call;
import io.skep.engine.plan.Expression.Case;
import io.skep.engine.plan.Expression.Cast;
import io.skep.engine.plan.Expression.Constant;
import io.skep.engine.plan.Expression.In;
import io.skep.engine.plan.Expression.InputColumn;
import io.skep.engine.plan.Expression.Or;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compiles a plan's expressions to evaluators. An evaluator is owned by the thread that runs it, so each driver
 * compiles its own. Functions of constants only are evaluated once, at the first use.
 */
public final class ExpressionCompiler {
    private final FunctionRegistry functions;

    public ExpressionCompiler(FunctionRegistry functions) {
        this.functions = functions;
    }

    /** @throws io.skep.common.error.SkepException if a function does not exist or does not accept its arguments */
    public Evaluator compile(Expression expression) {
        return switch (expression) {
            case InputColumn column -> batch -> batch.column(column.index());
            case Constant constant -> new ConstantEvaluator(constant);
            case Call call -> call(call);
            case Cast cast ->
                function(List.of(cast.operand()), functions.cast(cast.operand().type(), cast.type()));
            case And and -> new LogicalEvaluator(compileAll(and.operands()), false);
            case Or or -> new LogicalEvaluator(compileAll(or.operands()), true);
            case Case choice -> choice(choice);
            case In in -> function(List.of(in.value()), functions.in(values(in.candidates())));
        };
    }

    public List<Evaluator> compileAll(List<? extends Expression> expressions) {
        List<Evaluator> evaluators = new ArrayList<>();
        expressions.forEach(expression -> evaluators.add(compile(expression)));
        return evaluators;
    }

    /** @param predicate of type boolean */
    public FilterEvaluator compileFilter(Expression predicate) {
        if (predicate.type() != PrimitiveType.BOOLEAN && predicate.type() != PrimitiveType.VOID) {
            throw new IllegalArgumentException("a filter of type " + predicate.type());
        }
        return switch (predicate) {
            case And and ->
                new ConjunctionFilter(
                        and.operands().stream().map(this::conjunct).toList());
            default -> new ValueFilter(compile(predicate));
        };
    }

    private ConjunctionFilter.Conjunct conjunct(Expression predicate) {
        Columns columns = Columns.of(predicate);
        return new ConjunctionFilter.Conjunct(compileFilter(columns.rebase(predicate)), columns);
    }

    private Evaluator call(Call call) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case "coalesce", "nvl" -> new CoalesceEvaluator(compileAll(converted(arguments, call)), call.type());
            case "if", "when" -> choice(conditional(arguments, call));
            case "and" -> new LogicalEvaluator(compileAll(arguments), false);
            case "or" -> new LogicalEvaluator(compileAll(arguments), true);
            default -> {
                List<Argument> types = arguments.stream()
                        .map(argument -> new Argument(argument.type(), constant(argument)))
                        .toList();
                yield function(arguments, functions.scalar(call.function(), types, call.type()));
            }
        };
    }

    private Evaluator function(List<Expression> arguments, ScalarFunction function) {
        return new FunctionEvaluator(function, compileAll(arguments));
    }

    private Evaluator choice(Case choice) {
        List<Evaluator> conditions = new ArrayList<>();
        List<Evaluator> values = new ArrayList<>();
        for (Case.Branch branch : choice.branches()) {
            conditions.add(compile(branch.condition()));
            values.add(compile(branch.value()));
        }
        values.add(compile(choice.otherwise()));
        return new CaseEvaluator(conditions, values, choice.type());
    }

    /** Returns {@code if(c, a, b)} or {@code when(c1, a1, c2, a2, ..., [otherwise])} as a Case. */
    private static Case conditional(List<Expression> arguments, Call call) {
        List<Case.Branch> branches = new ArrayList<>();
        int i = 0;
        for (; i + 1 < arguments.size(); i += 2) {
            branches.add(new Case.Branch(arguments.get(i), converted(arguments.get(i + 1), call)));
        }
        Expression otherwise = i < arguments.size() ? converted(arguments.get(i), call) : Constant.ofNull(call.type());
        return new Case(branches, otherwise);
    }

    private static List<Expression> converted(List<Expression> arguments, Call call) {
        return arguments.stream().map(argument -> converted(argument, call)).toList();
    }

    private static Expression converted(Expression argument, Call call) {
        return argument.type().equals(call.type()) ? argument : new Cast(argument, call.type());
    }

    /** Returns the value of a literal, or of a cast of a literal. */
    private Optional<Datum> constant(Expression expression) {
        return switch (expression) {
            case Constant constant -> Optional.of(constant.value());
            case Cast cast -> constant(cast.operand()).map(value -> converted(value, cast));
            default -> Optional.empty();
        };
    }

    private Datum converted(Datum value, Cast cast) {
        Vector[] operand = {value.toVector(cast.operand().type())};
        Vector result = functions.cast(cast.operand().type(), cast.type()).evaluate(operand, 1);
        return Values.datum(result, 0);
    }

    private static List<Datum> values(List<Constant> candidates) {
        return candidates.stream().map(Constant::value).toList();
    }
}
