package io.skep.engine.operator.scan;

import io.skep.common.vector.Vector;
import io.skep.engine.filter.KeyFilter;
import io.skep.engine.filter.ScanFilter;
import io.skep.engine.operator.Operator;
import io.skep.engine.plan.PlanNode;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The runtime filters of one scan operator. Owned by the operator's thread. */
final class ScanFilters {
    /** Less than one in this number of a batch's rows counts as few. */
    private static final int FEW = 4;

    private static final Comparator<ScanFilter> STRICTEST_FIRST = Comparator.comparingDouble(ScanFilter::keptShare);

    private final PlanNode.Scan scan;
    private final List<ScanFilter> filters;
    private final List<ScanFilter> awake = new ArrayList<>();
    private final CompletableFuture<?> ready;
    private @Nullable ScanRequest request;

    ScanFilters(PlanNode.Scan scan, List<ScanFilter> filters) {
        this.scan = scan;
        this.filters = List.copyOf(filters);
        this.ready = filters.isEmpty()
                ? Operator.NOT_BLOCKED
                : CompletableFuture.allOf(filters.stream()
                        .map(filter -> filter.promise().filter())
                        .toArray(CompletableFuture[]::new));
    }

    boolean isEmpty() {
        return filters.isEmpty();
    }

    /** Returns a future that is done when all filters have arrived. No other method may be called before. */
    CompletableFuture<?> ready() {
        return ready;
    }

    boolean matchesNothing() {
        for (ScanFilter filter : filters) {
            if (filter.filter().filter(KeyFilter::matchesNothing).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the scan's request, extended by the filters' conditions on row groups. */
    ScanRequest request() {
        ScanRequest known = request;
        if (known == null) {
            known = filters.isEmpty() ? scan.request() : withBounds();
            request = known;
        }
        return known;
    }

    private ScanRequest withBounds() {
        ScanRequest plain = scan.request();
        List<ColumnPredicate> predicates = new ArrayList<>(plain.predicates());
        for (ScanFilter filter : filters) {
            int ordinal = plain.columns().get(filter.column());
            Optional<KeyFilter> values = filter.filter();
            values.ifPresent(known -> predicates.addAll(known.predicates(ordinal)));
        }
        return new ScanRequest(plain.table(), plain.columns(), predicates);
    }

    /** Begins a batch. Returns whether any filter must be applied to it. */
    boolean begin() {
        awake.clear();
        for (ScanFilter filter : filters) {
            if (filter.awake()) {
                awake.add(filter);
            }
        }
        awake.sort(STRICTEST_FIRST);
        return !awake.isEmpty();
    }

    /** Returns the fraction of rows that the active filters pass, from 0 to 1, as far as known. */
    double keptShare() {
        double share = 1;
        for (ScanFilter filter : awake) {
            share *= filter.keptShare();
        }
        return share;
    }

    /** Keeps the rows of the batch out of {@code rows[0..count)} that may find a match. Returns their number. */
    int retain(SourceBatch batch, int[] rows, int count) {
        int kept = count;
        for (int i = 0; i < awake.size() && kept > 0; i++) {
            ScanFilter filter = awake.get(i);
            kept = kept * FEW < batch.rowCount()
                    ? retainFew(filter, batch, rows, kept)
                    : filter.retain(batch.column(filter.column()), rows, kept);
        }
        return kept;
    }

    /** Decodes only the values of these rows. */
    private int retainFew(ScanFilter filter, SourceBatch batch, int[] rows, int count) {
        Vector values = batch.column(filter.column(), rows, count);
        int[] picked = new int[count];
        for (int i = 0; i < count; i++) {
            picked[i] = i;
        }
        int kept = filter.retain(values, picked, count);
        for (int i = 0; i < kept; i++) {
            rows[i] = rows[picked[i]];
        }
        return kept;
    }
}
