package io.skep.llap.client.rpc;

import io.skep.common.vector.Batch;
import java.util.function.Function;

/**
 * How batches become bytes and bytes batches. Whoever starts a process passes in the format that its engine has.
 *
 * @param decode fails with a SkepException when the bytes are no batch
 */
public record PageCodec(Function<Batch, byte[]> encode, Function<byte[], Batch> decode) {}
