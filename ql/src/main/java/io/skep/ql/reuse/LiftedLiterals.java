package io.skep.ql.reuse;

import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.reuse.StatementShape.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The literals of a query that may become parameters, according to their position. A conjunct of a WHERE or ON must
 * compare them with a column, also by BETWEEN or IN. The numbers of the outermost LIMIT may become parameters too.
 * Whether a literal can be left open also depends on the column's type, which the analysis determines.
 */
record LiftedLiterals(List<LiftedLiteral> literals) {
    private static final Set<Integer> COMPARISONS = Set.of(
            HiveParser.EQUAL,
            HiveParser.NOTEQUAL,
            HiveParser.LESSTHAN,
            HiveParser.LESSTHANOREQUALTO,
            HiveParser.GREATERTHAN,
            HiveParser.GREATERTHANOREQUALTO);

    private static final List<Integer> JOINS = List.of(
            HiveParser.TOK_JOIN,
            HiveParser.TOK_LEFTOUTERJOIN,
            HiveParser.TOK_RIGHTOUTERJOIN,
            HiveParser.TOK_FULLOUTERJOIN,
            HiveParser.TOK_LEFTSEMIJOIN);

    LiftedLiterals {
        literals = List.copyOf(literals);
    }

    /** The query with parameters in place of the literals. Each parameter has its literal's number. */
    record Opened(LiftedLiterals literals, SyntaxNode query) {}

    static Opened open(SyntaxNode query, StatementShape shape) {
        Search search = new Search(shape);
        query.descendants(HiveParser.TOK_WHERE).forEach(where -> search.condition(where.child(0)));
        for (int join : JOINS) {
            query.descendants(join).stream()
                    .filter(node -> node.childCount() > 2)
                    .forEach(node -> search.condition(node.child(2)));
        }
        search.limit(query);
        List<LiftedLiteral> free = search.found.stream()
                .sorted(Comparator.comparingInt(LiftedLiteral::index))
                .toList();
        return new Opened(new LiftedLiterals(free), replaced(query, search.parameters));
    }

    private static SyntaxNode replaced(SyntaxNode node, IdentityHashMap<SyntaxNode, SyntaxNode> parameters) {
        SyntaxNode parameter = parameters.get(node);
        if (parameter != null) {
            return parameter;
        }
        return node.withChildren(node.children().stream()
                .map(child -> replaced(child, parameters))
                .toList());
    }

    /** Returns the texts of the literals that are not free. */
    static List<List<String>> fixed(StatementShape shape, Set<Integer> free) {
        return IntStream.range(0, shape.literals().size())
                .filter(index -> !free.contains(index))
                .mapToObj(index -> shape.literals().get(index).texts())
                .toList();
    }

    private static final class Search {
        private final Map<Integer, Integer> byOffset = new HashMap<>();
        private final StatementShape shape;
        private final List<LiftedLiteral> found = new ArrayList<>();
        /** Maps a node to the parameter that replaces it, by identity, because equal nodes may stand in two places. */
        private final IdentityHashMap<SyntaxNode, SyntaxNode> parameters = new IdentityHashMap<>();

        private Search(StatementShape shape) {
            this.shape = shape;
            for (int i = 0; i < shape.literals().size(); i++) {
                byOffset.put(shape.literals().get(i).tokens().getFirst().offset(), i);
            }
        }

        private void condition(SyntaxNode condition) {
            if (condition.is(HiveParser.KW_AND) || condition.is(HiveParser.KW_NOT)) {
                condition.children().forEach(this::condition);
            } else if (COMPARISONS.contains(condition.type())) {
                for (int side = 0; side < 2; side++) {
                    if (isColumn(condition.child(1 - side))) {
                        single(condition.child(side), false);
                    }
                }
            } else if (condition.is(HiveParser.TOK_FUNCTION) && condition.childCount() > 1) {
                function(condition);
            }
        }

        private void function(SyntaxNode call) {
            if (call.child(0).text().equalsIgnoreCase("in") && isColumn(call.child(1))) {
                list(call);
            } else if (call.child(0).text().equalsIgnoreCase("between")
                    && call.childCount() == 5
                    && isColumn(call.child(2))) {
                single(call.child(3), false);
                single(call.child(4), false);
            }
        }

        private void limit(SyntaxNode query) {
            query.all(HiveParser.TOK_INSERT).stream()
                    .flatMap(block -> block.all(HiveParser.TOK_LIMIT).stream())
                    .flatMap(limit -> limit.children().stream())
                    .forEach(number -> single(number, true));
        }

        private static boolean isColumn(SyntaxNode node) {
            return node.is(HiveParser.TOK_TABLE_OR_COL) || node.is(HiveParser.DOT);
        }

        private void single(SyntaxNode node, boolean rows) {
            indexOf(node).filter(index -> !shape.literals().get(index).isList()).ifPresent(index -> {
                found.add(new LiftedLiteral(index, node, rows));
                parameters.put(node, parameter(SyntaxNode.PARAMETER, index, List.of(node)));
            });
        }

        private void list(SyntaxNode call) {
            List<SyntaxNode> nodes = call.children().subList(2, call.childCount());
            Optional<Integer> index = indexOf(nodes.getFirst())
                    .filter(at -> shape.literals().get(at).isList())
                    .filter(at -> shape.literals().get(at).tokens().size() == nodes.size());
            index.ifPresent(at -> {
                List<SyntaxNode> children = new ArrayList<>(call.children().subList(0, 2));
                children.add(parameter(SyntaxNode.LIST_PARAMETER, at, nodes));
                found.add(new LiftedLiteral(at, nodes.getFirst(), false));
                parameters.put(call, call.withChildren(children));
            });
        }

        private static SyntaxNode parameter(int type, int index, List<SyntaxNode> literals) {
            SyntaxNode first = literals.getFirst();
            return new SyntaxNode(type, Integer.toString(index), literals, first.position(), -1, "");
        }

        /** Returns the index of the shape's literal that a node represents. */
        private Optional<Integer> indexOf(SyntaxNode node) {
            return switch (node.type()) {
                case HiveParser.MINUS ->
                    node.childCount() == 1 && node.child(0).is(HiveParser.Number)
                            ? indexOf(node.child(0))
                            : Optional.empty();
                case HiveParser.Number,
                        HiveParser.StringLiteral,
                        HiveParser.TOK_DATELITERAL,
                        HiveParser.TOK_TIMESTAMPLITERAL -> at(node);
                default -> Optional.empty();
            };
        }

        /** Finds the literal at a node. A keyword or parentheses may surround its token. */
        private Optional<Integer> at(SyntaxNode node) {
            int offset = node.offset() + node.source().indexOf(node.text());
            return Optional.ofNullable(byOffset.get(offset)).filter(index -> {
                Token token = shape.literals().get(index).tokens().getFirst();
                return token.text().equals(node.text());
            });
        }
    }
}
