package io.skep.itests.fuzz;

import io.skep.common.error.SkepException;

/** Reads bytes that others may have made, as the product does where they come in. */
@FunctionalInterface
public interface InputReader {
    /** @throws SkepException what is wrong with the bytes; never INTERNAL_ERROR */
    void read(byte[] input) throws Exception;
}
