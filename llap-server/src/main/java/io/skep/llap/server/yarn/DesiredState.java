package io.skep.llap.server.yarn;

/**
 * The state that the commands request from the application master.
 *
 * @param application id of the intended application; the master of another one stops
 * @param instances number of daemons
 * @param generation incremented by each rolling restart; daemons of an earlier one are replaced
 * @param memory memory of each daemon
 * @param cores cores of each daemon
 * @param stop whether the application must stop
 */
record DesiredState(
        String application, int instances, long generation, ContainerMemory memory, int cores, boolean stop) {
    DesiredState {
        if (instances < 0 || generation < 1 || cores < 1) {
            throw new IllegalArgumentException(
                    instances + " daemons of generation " + generation + " with " + cores + " cores");
        }
    }

    DesiredState withInstances(int changed) {
        return new DesiredState(application, changed, generation, memory, cores, stop);
    }

    DesiredState stopped() {
        return new DesiredState(application, instances, generation, memory, cores, true);
    }
}
