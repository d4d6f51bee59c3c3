package io.skep.common.query;

/**
 * Statistics of where the ranges of files that a query reads were placed.
 *
 * @param home on their home, whose cache holds them if any does
 * @param otherHome on a further home, which they have because they are read very often
 * @param away elsewhere, because waiting for a home would have taken longer than reading them there
 */
public record PlacementStats(long home, long otherHome, long away) {
    public static final PlacementStats NONE = new PlacementStats(0, 0, 0);

    public PlacementStats plus(PlacementStats other) {
        return new PlacementStats(home + other.home, otherHome + other.otherHome, away + other.away);
    }

    public long ranges() {
        return home + otherHome + away;
    }
}
