package io.skep.tez;

import io.skep.llap.client.OutputLocation;
import java.util.List;
import org.apache.tez.runtime.api.AbstractLogicalOutput;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.OutputContext;
import org.apache.tez.runtime.api.Writer;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.jspecify.annotations.Nullable;

/** Tells the consumers of one edge where the task's rows are, once they are complete. Owned by the task's thread. */
public final class ExchangeOutput extends AbstractLogicalOutput {
    private @Nullable OutputLocation location;

    public ExchangeOutput(OutputContext context, int physicalOutputs) {
        super(context, physicalOutputs);
    }

    @Override
    public List<Event> initialize() {
        getContext().requestInitialMemory(0, null);
        return List.of();
    }

    @Override
    public void start() {}

    @Override
    public Writer getWriter() {
        throw new UnsupportedOperationException("rows are written by the daemon, not by this process");
    }

    @Override
    public void handleEvents(List<Event> events) {}

    void complete(OutputLocation where) {
        location = where;
    }

    @Override
    public List<Event> close() {
        return location == null ? List.of() : List.of(DataMovementEvent.create(0, OutputAddress.encode(location)));
    }
}
