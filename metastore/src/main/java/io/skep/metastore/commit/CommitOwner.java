package io.skep.metastore.commit;

import java.util.Optional;

/**
 * Whose a commit is.
 *
 * @param began the server that began it, by its data folder's id
 * @param server the one that carries it out: another one when it was taken over
 * @param place where that server runs, for people
 * @param commit a name that no other commit has
 * @param beat counts up as long as the server works at it
 */
public record CommitOwner(String began, String server, String place, String commit, int beat) {
    private static final int FIELDS = 5;
    private static final int LONGEST_PLACE = 500;

    public CommitOwner {
        place = place.replaceAll("\\s+", " ");
        place = place.substring(0, Math.min(place.length(), LONGEST_PLACE));
    }

    public CommitOwner beaten() {
        return new CommitOwner(began, server, place, commit, beat + 1);
    }

    /** The same commit in the hands of another server. */
    public CommitOwner takenBy(String other, String otherPlace) {
        return new CommitOwner(began, other, otherPlace, commit, beat + 1);
    }

    String text() {
        return whose() + beat + "\t" + place;
    }

    /** The beginning of {@link #text}, which is the same for all beats. */
    String whose() {
        return String.join("\t", began, server, commit) + "\t";
    }

    static Optional<CommitOwner> parse(String text) {
        String[] fields = text.split("\t", -1);
        return fields.length == FIELDS && fields[3].matches("\\d{1,9}")
                ? Optional.of(new CommitOwner(fields[0], fields[1], fields[4], fields[2], Integer.parseInt(fields[3])))
                : Optional.empty();
    }
}
