package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Analyzes partitioned table functions, which make rows of the rows of each partition of their source. A function that
 * does not say how its source is partitioned takes over the partitions of the function below it.
 */
final class PartitionedFunctions {
    private static final String MATCHPATH = "matchpath";
    private static final Set<String> PASSING = Set.of("noop", "noopwithmap", "noopstreaming", "noopwithmapstreaming");

    private final Environment environment;
    private final Optional<Resolver> outer;

    PartitionedFunctions(Environment environment, Optional<Resolver> outer) {
        this.environment = environment;
        this.outer = outer;
    }

    /** @param node TOK_PTBLFUNCTION: name, optional alias, source, optional partitioning, arguments */
    Scope analyze(SyntaxNode node, FromClause sources) {
        String function = Names.of(node.child(0));
        if (!PASSING.contains(function) && !function.equals(MATCHPATH)) {
            throw environment.context().functions().kind(function).isPresent()
                    ? SemanticErrors.notSupported(node, "the partitioned table function '" + function + "'")
                    : SemanticErrors.plain(node, "Unknown Table Function " + function);
        }
        Scope source = sources.analyze(node.child(sourceAt(node)));
        SyntaxNode window = window(node);
        if (function.equals(MATCHPATH)) {
            Scope matches = new MatchPath(environment, node, source, window).analyze(arguments(node));
            return named(node, matches, "");
        }
        Windows.keys(window, new ExpressionAnalyzer(environment, source, Optional.empty()));
        return isNamed(node) ? named(node, source, Names.of(node.child(1))) : source;
    }

    private Scope named(SyntaxNode node, Scope rows, String otherwise) {
        String alias = isNamed(node) ? Names.of(node.child(1)) : otherwise;
        List<ScopeColumn> columns = rows.columns().stream()
                .map(column -> new ScopeColumn(
                        "", alias, column.name(), column.visible(), column.virtual(), column.ambiguous()))
                .toList();
        return new Scope(environment.factory(), rows.rel(), columns, outer);
    }

    private static boolean isNamed(SyntaxNode node) {
        return node.child(1).is(HiveParser.Identifier);
    }

    private static int sourceAt(SyntaxNode node) {
        return isNamed(node) ? 2 : 1;
    }

    private static List<SyntaxNode> arguments(SyntaxNode node) {
        return node.children().stream()
                .skip(sourceAt(node) + 1L)
                .filter(child -> !child.is(HiveParser.TOK_PARTITIONINGSPEC))
                .toList();
    }

    /** Returns the partitioning as the window of a window function, TOK_WINDOWSPEC. */
    private static SyntaxNode window(SyntaxNode node) {
        SyntaxNode source = node.child(sourceAt(node));
        Optional<SyntaxNode> own = node.first(HiveParser.TOK_PARTITIONINGSPEC);
        if (own.isEmpty() && source.is(HiveParser.TOK_PTBLFUNCTION)) {
            return window(source);
        }
        List<SyntaxNode> parts = new ArrayList<>();
        own.ifPresent(parts::add);
        return new SyntaxNode(HiveParser.TOK_WINDOWSPEC, "TOK_WINDOWSPEC", parts, node.position(), -1, "");
    }
}
