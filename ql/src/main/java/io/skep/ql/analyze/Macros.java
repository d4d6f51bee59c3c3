package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.SyntaxNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;

/** Expands calls of macros: analyzes the body with the arguments in place of the parameters. */
final class Macros {
    private Macros() {}

    static RexNode expand(
            SyntaxNode call, AnalysisContext.Macro macro, List<RexNode> arguments, Environment environment) {
        List<String> parameters = macro.parameters();
        if (parameters.size() != arguments.size()) {
            throw SemanticErrors.error(
                    StandardErrorCode.INVALID_ARGUMENT,
                    call,
                    "macro '" + FunctionCalls.name(call) + "' takes " + parameters.size() + " arguments, not "
                            + arguments.size());
        }
        Map<String, RexNode> values = new HashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            values.put(
                    parameters.get(i),
                    environment
                            .factory()
                            .rex()
                            .cast(arguments.get(i), macro.types().get(i)));
        }
        environment.expansion().add(call, macro.body(), arguments);
        Resolver names = new Parameters(values, OneRow.scope(environment.factory()));
        environment.expansion().open(call, FunctionCalls.name(call));
        RexNode expanded =
                new ExpressionAnalyzer(environment.forOtherText(), names, Optional.empty()).analyze(macro.body());
        environment.expansion().close(FunctionCalls.name(call));
        return expanded;
    }

    /** Resolves names inside a macro's body, where only its parameters are visible. */
    private record Parameters(Map<String, RexNode> values, Scope scope) implements Resolver {
        @Override
        public OptionalInt column(SyntaxNode where, String table, String name) {
            return OptionalInt.empty();
        }

        @Override
        public boolean hasTable(String alias) {
            return false;
        }

        @Override
        public Optional<RexNode> alias(String name) {
            return Optional.ofNullable(values.get(name));
        }

        @Override
        public Optional<Resolver> outer() {
            return Optional.empty();
        }

        @Override
        public List<String> names() {
            return List.copyOf(values.keySet());
        }
    }
}
