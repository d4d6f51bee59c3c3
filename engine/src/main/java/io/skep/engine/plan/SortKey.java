package io.skep.engine.plan;

/** One key of an order: a column of the input. */
public record SortKey(int column, boolean ascending, boolean nullsFirst) {}
