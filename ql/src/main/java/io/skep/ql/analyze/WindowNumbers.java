package io.skep.ql.analyze;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexVisitorImpl;

/** Finds the window calls of a SELECT list, by whose positions Hive numbers them. */
final class WindowNumbers extends RexVisitorImpl<Void> {
    private final Set<RexOver> calls = new LinkedHashSet<>();

    private WindowNumbers() {
        super(true);
    }

    /** Returns the different window calls, also those inside of other expressions, in the order of the list. */
    static List<RexOver> callsOf(List<SelectItem> items) {
        WindowNumbers numbers = new WindowNumbers();
        items.forEach(item -> item.value().accept(numbers));
        return List.copyOf(numbers.calls);
    }

    @Override
    public Void visitOver(RexOver over) {
        calls.add(over);
        return super.visitOver(over);
    }
}
