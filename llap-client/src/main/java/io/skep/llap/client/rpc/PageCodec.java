package io.skep.llap.client.rpc;

import io.skep.common.vector.Batch;
import java.util.function.Function;

/**
 * Encodes batches as bytes and decodes them. The code that starts a process passes in the format of its engine.
 *
 * @param decode fails with a SkepException when the bytes are not a batch
 */
public record PageCodec(Function<Batch, byte[]> encode, Function<byte[], Batch> decode) {}
