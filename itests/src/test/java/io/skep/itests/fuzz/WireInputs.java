package io.skep.itests.fuzz;

import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.ReaderFrameCodec;
import java.util.Arrays;

/** Messages between processes. Where there are several kinds, the first byte selects one. */
final class WireInputs {
    private static final int FRAME_KINDS = 5;

    private WireInputs() {}

    static InputReader frames() {
        return input -> {
            byte[] message = rest(input);
            switch (kind(input, FRAME_KINDS)) {
                case 0 -> FrameCodec.decodeClient(message);
                case 1 -> FrameCodec.decodeDaemon(message);
                case 2 -> ReaderFrameCodec.decode(message);
                case 3 -> PageFrameCodec.decodePages(message);
                default -> Greeting.decode(message);
            }
        };
    }

    static InputReader plans() {
        return input -> {
            if (kind(input, 2) == 0) {
                PlanCodec.decode(rest(input));
            } else {
                PlanCodec.decodeSplit(rest(input));
            }
        };
    }

    static InputReader batches() {
        return BatchCodec::decode;
    }

    static int kind(byte[] input, int kinds) {
        return input.length == 0 ? 0 : Byte.toUnsignedInt(input[0]) % kinds;
    }

    static byte[] rest(byte[] input) {
        return input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
    }
}
