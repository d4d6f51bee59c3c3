package io.skep.metastore.commit;

import java.util.Optional;

/**
 * The owner of a commit.
 *
 * @param began the server that began it, as its data folder's id
 * @param server the server that carries it out, which differs after a takeover
 * @param place where that server runs, for users
 * @param commit the unique name of the commit
 * @param beat a counter that increases while the server works on it
 */
public record CommitOwner(String began, String server, String place, String commit, int beat) {
    private static final int FIELDS = 5;
    private static final int LONGEST_PLACE = 500;

    public CommitOwner {
        place = place.replaceAll("\\s+", " ");
        place = place.substring(0, Math.min(place.length(), LONGEST_PLACE));
    }

    public CommitOwner nextBeat() {
        return new CommitOwner(began, server, place, commit, beat + 1);
    }

    /** Returns the same commit, owned by another server. */
    public CommitOwner withServer(String other, String otherPlace) {
        return new CommitOwner(began, other, otherPlace, commit, beat + 1);
    }

    String text() {
        return prefix() + beat + "\t" + place;
    }

    /** Returns the beginning of {@link #text}, which is the same for all beats. */
    String prefix() {
        return String.join("\t", began, server, commit) + "\t";
    }

    static Optional<CommitOwner> parse(String text) {
        String[] fields = text.split("\t", -1);
        return fields.length == FIELDS && fields[3].matches("\\d{1,9}")
                ? Optional.of(new CommitOwner(fields[0], fields[1], fields[4], fields[2], Integer.parseInt(fields[3])))
                : Optional.empty();
    }
}
