package io.skep.ql.external;

import io.skep.common.error.SkepException;
import io.skep.storage.write.WrittenFile;
import java.util.Collection;
import java.util.List;

/** A write of programs outside of the server that is under way. It belongs to a session. Thread-safe. */
public interface OpenWrite extends AutoCloseable {
    /** Returns what the programs need: the ticket, where to send rows, and the schema. */
    byte[] access();

    /** The hidden folder with the files of all parts. */
    String folder();

    /**
     * Ends the write and returns the files of some of its parts. No part arrives afterwards.
     *
     * @param parts the numbers that the programs have got for them
     * @throws SkepException INVALID_ARGUMENT when one of them has not arrived as a whole
     */
    List<WrittenFile> finish(Collection<Long> parts);

    /** Ends the write. Waits a bounded time until nobody writes into the folder any more. */
    @Override
    void close();
}
