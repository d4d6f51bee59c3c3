package io.skep.engine.operator;

import io.skep.engine.spill.SpillFile;
import io.skep.engine.spill.SpillFolder;
import io.skep.engine.spill.SpillSpace;

/**
 * The task's spill space as an operator uses it.
 *
 * @param collector counts what is written
 */
public record OperatorSpill(SpillSpace space, OperatorStatsCollector collector) {
    /** Creates a new file for batches. */
    public SpillFile create(String purpose) {
        return space.create(purpose, collector::addSpilled);
    }

    /** Creates a new, empty folder for files of other kinds, which are not counted. */
    public SpillFolder createFolder(String purpose) {
        return space.createFolder(purpose);
    }
}
