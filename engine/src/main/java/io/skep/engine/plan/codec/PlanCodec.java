package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.storage.table.Split;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Encodes stage graphs and splits as bytes. Equal plans have equal bytes, so that their hash identifies them. */
public final class PlanCodec {
    static final int VERSION = 1;

    private PlanCodec() {}

    public static byte[] encode(StageGraph graph) {
        return new MessageWriter()
                .integer(1, VERSION)
                .messages(2, graph.fragments(), PlanCodec::writeFragment)
                .texts(3, graph.columnNames())
                .messages(4, graph.columnTypes(), TypeCodec::write)
                .texts(5, graph.resources())
                .real(6, graph.estimatedRows())
                .toByteArray();
    }

    /**
     * @throws SkepException DAMAGED_MESSAGE if the bytes are not a plan, NOT_SUPPORTED if they are a plan of another
     *     version
     */
    public static StageGraph decode(byte[] bytes) {
        return MessageReader.read(bytes, PlanCodec::readGraph);
    }

    private static StageGraph readGraph(MessageReader in) {
        requireVersion(in);
        return new StageGraph(
                in.messages(2, PlanCodec::readFragment),
                in.texts(3),
                in.messages(4, TypeCodec::read),
                in.texts(5),
                in.real(6));
    }

    public static byte[] encodeSplit(Split split) {
        MessageWriter out = new MessageWriter();
        TableCodec.writeSplit(out, split);
        return out.toByteArray();
    }

    public static Split decodeSplit(byte[] bytes) {
        return MessageReader.read(bytes, in -> {
            requireVersion(in);
            return TableCodec.readSplit(in);
        });
    }

    /** Returns the SHA-256 of a plan's bytes in hexadecimal digits. */
    public static String hash(byte[] plan) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(plan));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void requireVersion(MessageReader in) {
        if (in.integer(1) != VERSION) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    "a plan of version " + in.integer(1) + "; this process reads version " + VERSION);
        }
    }

    private static void writeFragment(MessageWriter out, Fragment fragment) {
        out.integer(1, fragment.id())
                .message(2, fragment.root(), NodeCodec::write)
                .integer(3, fragment.distribution().ordinal());
        switch (fragment.output()) {
            case Fragment.Output.Gather o -> {}
            case Fragment.Output.Hash o -> out.integer(4, 1).integers(5, o.columns());
            case Fragment.Output.Broadcast o -> out.integer(4, 2);
            case Fragment.Output.RoundRobin o -> out.integer(4, 3);
        }
    }

    private static Fragment readFragment(MessageReader in) {
        Fragment.Output output = switch (in.number(4)) {
            case 0 -> new Fragment.Output.Gather();
            case 1 -> new Fragment.Output.Hash(in.integers(5));
            case 2 -> new Fragment.Output.Broadcast();
            default -> new Fragment.Output.RoundRobin();
        };
        return new Fragment(
                in.number(1), in.message(2, NodeCodec::read), Fragment.Distribution.values()[in.number(3)], output);
    }
}
