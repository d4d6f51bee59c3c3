package io.skep.tez.vertex;

import org.apache.tez.dag.api.EdgeManagerPluginContext;
import org.apache.tez.dag.api.EdgeManagerPluginOnDemand;

/**
 * Routes the address of each producing task's output to every consuming task, for any distribution of rows. The vertex
 * manager of the consumer assigns the partitions that each of its tasks reads. So a producer sends one event, and input
 * {@code i} of every consumer is producer {@code i}. Stateless and thread-safe, as routing must be.
 */
public final class ExchangeEdgeManager extends EdgeManagerPluginOnDemand {
    public ExchangeEdgeManager(EdgeManagerPluginContext context) {
        super(context);
    }

    @Override
    public void initialize() {}

    @Override
    public void prepareForRouting() {}

    @Override
    public int getNumDestinationTaskPhysicalInputs(int destinationTaskIndex) {
        return getContext().getSourceVertexNumTasks();
    }

    @Override
    public int getNumSourceTaskPhysicalOutputs(int sourceTaskIndex) {
        return 1;
    }

    @Override
    public int getNumDestinationConsumerTasks(int sourceTaskIndex) {
        return getContext().getDestinationVertexNumTasks();
    }

    @Override
    public int routeInputErrorEventToSource(int destinationTaskIndex, int destinationFailedInputIndex) {
        return destinationFailedInputIndex;
    }

    @Override
    public EventRouteMetadata routeDataMovementEventToDestination(
            int sourceTaskIndex, int sourceOutputIndex, int destinationTaskIndex) {
        return EventRouteMetadata.create(1, new int[] {sourceTaskIndex}, new int[] {0});
    }

    @Override
    public CompositeEventRouteMetadata routeCompositeDataMovementEventToDestination(
            int sourceTaskIndex, int destinationTaskIndex) {
        return CompositeEventRouteMetadata.create(1, sourceTaskIndex, 0);
    }

    @Override
    public EventRouteMetadata routeInputSourceTaskFailedEventToDestination(
            int sourceTaskIndex, int destinationTaskIndex) {
        return EventRouteMetadata.create(1, new int[] {sourceTaskIndex}, new int[] {0});
    }
}
