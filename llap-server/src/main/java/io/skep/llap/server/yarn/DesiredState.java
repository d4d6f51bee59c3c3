package io.skep.llap.server.yarn;

/**
 * What the commands want of the application master.
 *
 * @param application whose master is meant; another one finds that it is no longer wanted
 * @param instances daemons
 * @param generation raised by each rolling restart; daemons of an earlier one are replaced
 * @param memory of each daemon
 * @param cores of each daemon
 * @param stop whether the application ends
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
