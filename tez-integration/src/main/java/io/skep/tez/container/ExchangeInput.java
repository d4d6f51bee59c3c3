package io.skep.tez.container;

import io.skep.llap.client.OutputLocation;
import io.skep.tez.wire.OutputAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.tez.runtime.api.AbstractLogicalInput;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.Reader;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.InputFailedEvent;
import org.apache.tez.runtime.api.events.InputReadErrorEvent;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of one producing vertex are, for a task in a container; the processor reads them. Guarded by itself.
 */
public final class ExchangeInput extends AbstractLogicalInput {
    private final @Nullable Arrived[] arrived;
    private Runnable listener = () -> {};

    private record Arrived(OutputLocation location, int version) {}

    public ExchangeInput(InputContext context, int outputs) {
        super(context, outputs);
        this.arrived = new Arrived[outputs];
    }

    @Override
    public List<Event> initialize() {
        // Tez wants to be told, also of nothing.
        getContext().requestInitialMemory(0, null);
        return List.of();
    }

    @Override
    public void start() {}

    /** The processor does without. */
    @Override
    public Reader getReader() {
        throw new UnsupportedOperationException("rows are read by the fragment");
    }

    /** @param told of each change */
    synchronized void listen(Runnable told) {
        listener = told;
    }

    @Override
    public void handleEvents(List<Event> events) {
        Runnable told;
        synchronized (this) {
            events.forEach(this::take);
            told = listener;
        }
        told.run();
    }

    private void take(Event event) {
        if (event instanceof DataMovementEvent moved) {
            OutputLocation location = OutputAddress.decode(moved.getUserPayload());
            arrived[moved.getTargetIndex()] = new Arrived(location, moved.getVersion());
        } else if (event instanceof InputFailedEvent failed) {
            Arrived known = arrived[failed.getTargetIndex()];
            if (known != null && known.version() <= failed.getVersion()) {
                arrived[failed.getTargetIndex()] = null;
            }
        }
    }

    /** The outputs of all producing tasks in their order, or nothing as long as one is missing. */
    synchronized Optional<List<OutputLocation>> locations() {
        if (Arrays.stream(arrived).anyMatch(Objects::isNull)) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(arrived)
                .map(output -> Objects.requireNonNull(output).location())
                .toList());
    }

    /**
     * Has the task run again whose output cannot be fetched, if it is one of this input's.
     *
     * @param holder which output, as its location says it
     */
    synchronized void reportLost(String holder, String reason) {
        for (int i = 0; i < arrived.length; i++) {
            Arrived output = arrived[i];
            if (output != null && output.location().daemon().incarnation().equals(holder)) {
                // Said to be an error at the source, so that it is believed at once and not weighed against what other
                // consumers say.
                getContext()
                        .sendEvents(List.of(InputReadErrorEvent.create(
                                reason,
                                i,
                                output.version(),
                                false,
                                true,
                                getContext().getExecutionContext().getHostName())));
            }
        }
    }

    @Override
    public List<Event> close() {
        return List.of();
    }
}
