package io.skep.itests.random;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A piece of a query. */
interface Part<P extends Part<P>> {
    String sql(Dialect dialect);

    /** Whether it means the same in both dialects. */
    boolean portable();

    /** Returns pieces of the same kind with a part left out. They may have any meaning or be invalid. */
    Stream<P> smaller();

    /** Returns lists in which one element is replaced by a smaller one. */
    static <P extends Part<? extends P>, R> Stream<R> oneSmaller(List<P> parts, Function<List<P>, R> make) {
        return Stream.iterate(0, i -> i + 1)
                .limit(parts.size())
                .flatMap(i -> parts.get(i).smaller().map(part -> {
                    List<P> changed = new ArrayList<>(parts);
                    changed.set(i, part);
                    return make.apply(changed);
                }));
    }

    /** Returns lists without one element, provided at least one element remains. */
    static <P, R> Stream<R> oneLess(List<P> parts, Function<List<P>, R> make) {
        return parts.size() < 2
                ? Stream.empty()
                : Stream.iterate(0, i -> i + 1).limit(parts.size()).map(i -> {
                    List<P> changed = new ArrayList<>(parts);
                    changed.remove((int) i);
                    return make.apply(changed);
                });
    }
}
