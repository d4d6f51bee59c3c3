package io.skep.tez;

import io.skep.llap.client.OutputLocation;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.tez.runtime.api.AbstractLogicalInput;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.Reader;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.InputFailedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of the tasks of one producing vertex: their addresses, as they arrive. The rows themselves go from daemon to daemon.
 * Guarded by itself; events may come before the start and from other threads.
 */
public final class ExchangeInput extends AbstractLogicalInput {
    private final @Nullable OutputLocation[] locations;

    public ExchangeInput(InputContext context, int physicalInputs) {
        super(context, physicalInputs);
        this.locations = new OutputLocation[physicalInputs];
    }

    @Override
    public List<Event> initialize() {
        getContext().requestInitialMemory(0, null);
        return List.of();
    }

    @Override
    public void start() {}

    @Override
    public Reader getReader() {
        throw new UnsupportedOperationException(
                "rows are read through the daemon, by the addresses that this input gives");
    }

    @Override
    public synchronized void handleEvents(List<Event> events) {
        for (Event event : events) {
            if (event instanceof DataMovementEvent moved) {
                locations[moved.getTargetIndex()] = OutputAddress.decode(moved.getUserPayload());
            } else if (event instanceof InputFailedEvent failed) {
                locations[failed.getTargetIndex()] = null;
            }
        }
        notifyAll();
    }

    /** The addresses of all tasks' outputs, by task number; waits until they are all known. */
    synchronized List<OutputLocation> awaitLocations() throws InterruptedException {
        while (Arrays.stream(locations).anyMatch(Objects::isNull)) {
            wait();
        }
        return Arrays.stream(locations).map(Objects::requireNonNull).toList();
    }

    @Override
    public List<Event> close() {
        return List.of();
    }
}
