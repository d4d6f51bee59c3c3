package io.skep.metastore.transaction;

import java.util.Optional;

/**
 * The answer to a request for a compaction.
 *
 * @param id the new compaction, or the one that waits or runs already
 * @param state its state, as compactions are listed
 * @param isAccepted false when a compaction of the same table or partition waits or runs
 * @param refusal why no compaction is accepted at all
 */
public record CompactionAnswer(long id, String state, boolean isAccepted, Optional<String> refusal) {}
