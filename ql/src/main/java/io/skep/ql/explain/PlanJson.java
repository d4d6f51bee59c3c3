package io.skep.ql.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;

/** The plan that {@link PlanPrinter} prints, as JSON: each line is an object with those that are indented below it. */
public final class PlanJson {
    private static final int INDENTATION = 2;

    private PlanJson() {}

    /** @param printed the text of a plan, or of several */
    public static ArrayNode of(String printed) {
        ArrayNode roots = JsonNodeFactory.instance.arrayNode();
        Deque<ObjectNode> above = new ArrayDeque<>();
        printed.lines().filter(line -> !line.isBlank()).forEach(line -> {
            String text = line.strip();
            int depth = (line.length() - line.stripLeading().length()) / INDENTATION;
            while (above.size() > depth) {
                above.pop();
            }
            ObjectNode parent = above.peek();
            ArrayNode among = parent == null ? roots : parent.withArray("/inputs");
            above.push(among.addObject().put("operator", text));
        });
        return roots;
    }
}
