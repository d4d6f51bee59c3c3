package io.skep.engine.plan;

/**
 * One end of a runtime filter: a join has it from the keys of its build side, scans below its probe side, in the same fragment,
 * drop rows by it. Both ends carry the same number.
 *
 * @param id number in the fragment
 * @param column of a join, the position among its keys; of a scan, the index among its output columns
 */
public record RuntimeFilter(int id, int column) {}
