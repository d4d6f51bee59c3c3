package io.skep.tez.container;

import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PartitionSizes;
import io.skep.tez.wire.OutputAddress;
import io.skep.tez.wire.TaskReport;
import java.util.ArrayList;
import java.util.List;
import org.apache.tez.runtime.api.AbstractLogicalOutput;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.OutputContext;
import org.apache.tez.runtime.api.Writer;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/**
 * Sends the location of a container task's rows to one consuming vertex. The processor has written the rows once for
 * all consumers.
 */
public final class ExchangeOutput extends AbstractLogicalOutput {
    private volatile List<Event> events = List.of();

    public ExchangeOutput(OutputContext context, int outputs) {
        super(context, outputs);
    }

    @Override
    public List<Event> initialize() {
        // Tez requires this call even for no memory.
        getContext().requestInitialMemory(0, null);
        return List.of();
    }

    @Override
    public void start() {}

    /** The processor does not use a writer. */
    @Override
    public Writer getWriter() {
        throw new UnsupportedOperationException("rows are written by the fragment");
    }

    @Override
    public void handleEvents(List<Event> told) {}

    /**
     * Sets the events to send after the task has succeeded. The location is sent with the end of the task, and the
     * sizes before it.
     */
    void complete(OutputLocation location, PartitionSizes sizes) {
        List<Event> known = new ArrayList<>();
        known.add(DataMovementEvent.create(0, OutputAddress.encode(location)));
        if (sizes.partitions() > 0) {
            known.add(VertexManagerEvent.create(getContext().getDestinationVertexName(), TaskReport.encode(sizes)));
        }
        events = List.copyOf(known);
    }

    @Override
    public List<Event> close() {
        return events;
    }
}
