package io.skep.ql.execution;

import io.skep.common.query.QueryId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The statements of all sessions of a server that have not ended. Thread-safe. */
public final class RunningStatements {
    private volatile Supplier<Stream<Running>> source = Stream::empty;

    /**
     * A statement that has not ended, as far as is known.
     *
     * @param tag the session's {@code hive.query.tag}
     * @param user the user of its session
     * @param cancel cancels it and takes the reason
     */
    public record Running(QueryId id, Optional<String> tag, String user, Consumer<String> cancel) {}

    /** Sets what lists them, once the server has sessions. */
    public void listedBy(Supplier<Stream<Running>> sessions) {
        source = sessions;
    }

    /** Returns the statement with this query id, or else the statements with this tag. */
    public List<Running> find(String idOrTag) {
        List<Running> all = source.get().toList();
        List<Running> byId = all.stream()
                .filter(running -> running.id().value().equals(idOrTag))
                .toList();
        return byId.isEmpty()
                ? all.stream()
                        .filter(running -> running.tag().filter(idOrTag::equals).isPresent())
                        .toList()
                : byId;
    }
}
