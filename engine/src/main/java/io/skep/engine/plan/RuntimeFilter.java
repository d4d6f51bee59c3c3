package io.skep.engine.plan;

/**
 * One end of a runtime filter. A join builds the filter from the keys of its build side. Scans below its probe side, in
 * the same fragment, drop rows by it. Both ends have the same number.
 *
 * @param id number in the fragment
 * @param column for a join, the position among its keys; for a scan, the index among its output columns
 */
public record RuntimeFilter(int id, int column) {}
