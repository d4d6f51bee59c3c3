package io.skep.tez.container;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * The locations of one producing vertex's rows, for a task in a container. The processor reads the rows. Guarded by
 * itself.
 */
public final class ExchangeInput extends AbstractLogicalInput {
    private final @Nullable Arrived[] arrived;

    @GuardedBy("this")
    private Runnable listener = () -> {};

    private record Arrived(OutputLocation location, int version) {}

    public ExchangeInput(InputContext context, int outputs) {
        super(context, outputs);
        this.arrived = new Arrived[outputs];
    }

    @Override
    public List<Event> initialize() {
        // Tez requires this call even for no memory.
        getContext().requestInitialMemory(0, null);
        return List.of();
    }

    @Override
    public void start() {}

    /** The processor does not use a reader. */
    @Override
    public Reader getReader() {
        throw new UnsupportedOperationException("rows are read by the fragment");
    }

    /** @param told called on each change */
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

    /** Returns the outputs of all producing tasks in their order, or nothing while one is missing. */
    synchronized Optional<List<OutputLocation>> locations() {
        if (Arrays.stream(arrived).anyMatch(Objects::isNull)) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(arrived)
                .map(output -> Objects.requireNonNull(output).location())
                .toList());
    }

    /**
     * Makes Tez rerun the task whose output cannot be fetched, if that output belongs to this input.
     *
     * @param holder identifies the output, as its location does
     */
    synchronized void reportLost(String holder, String reason) {
        for (int i = 0; i < arrived.length; i++) {
            Arrived output = arrived[i];
            if (output != null && output.location().daemon().incarnation().equals(holder)) {
                // Marked as an error at the source. So Tez acts on it at once, without weighing it against reports of
                // other consumers.
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
