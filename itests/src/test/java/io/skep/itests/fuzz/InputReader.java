package io.skep.itests.fuzz;

import io.skep.common.error.SkepException;

/** Reads untrusted bytes in the same way as the product reads them when they arrive. */
@FunctionalInterface
public interface InputReader {
    /** @throws SkepException if the bytes are invalid; never with INTERNAL_ERROR */
    void read(byte[] input) throws Exception;
}
