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
        return PlanProto.Plan.newBuilder()
                .setVersion(VERSION)
                .addAllFragments(Messages.convert(graph.fragments(), PlanCodec::writeFragment))
                .addAllColumnNames(graph.columnNames())
                .addAllColumnTypes(Messages.convert(graph.columnTypes(), TypeCodec::write))
                .addAllResources(graph.resources())
                .setEstimatedRows(graph.estimatedRows())
                .build()
                .toByteArray();
    }

    /**
     * @throws SkepException DAMAGED_MESSAGE if the bytes are not a plan, NOT_SUPPORTED if they are a plan of another
     *     version
     */
    public static StageGraph decode(byte[] bytes) {
        return Messages.read(PlanProto.Plan.parser(), bytes, PlanCodec::readGraph);
    }

    private static StageGraph readGraph(PlanProto.Plan plan) {
        requireVersion(plan.getVersion());
        return new StageGraph(
                Messages.convert(plan.getFragmentsList(), PlanCodec::readFragment),
                plan.getColumnNamesList(),
                Messages.convert(plan.getColumnTypesList(), TypeCodec::read),
                plan.getResourcesList(),
                plan.getEstimatedRows());
    }

    public static byte[] encodeSplit(Split split) {
        return TableCodec.writeSplit(split).toByteArray();
    }

    public static Split decodeSplit(byte[] bytes) {
        return Messages.read(PlanProto.Split.parser(), bytes, split -> {
            requireVersion(split.getVersion());
            return TableCodec.readSplit(split);
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

    private static void requireVersion(int version) {
        if (version != VERSION) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    "a plan of version " + version + "; this process reads version " + VERSION);
        }
    }

    private static PlanProto.Fragment writeFragment(Fragment fragment) {
        PlanProto.Fragment.Builder out = PlanProto.Fragment.newBuilder()
                .setId(fragment.id())
                .setRoot(NodeCodec.write(fragment.root()))
                .setDistribution(PlanProto.Fragment.Distribution.valueOf(
                        fragment.distribution().name()));
        switch (fragment.output()) {
            case Fragment.Output.Gather _ -> out.setOutput(PlanProto.Fragment.Output.GATHER);
            case Fragment.Output.Hash o ->
                out.setOutput(PlanProto.Fragment.Output.HASH_PARTITIONED).addAllHashColumns(o.columns());
            case Fragment.Output.Broadcast _ -> out.setOutput(PlanProto.Fragment.Output.BROADCAST);
            case Fragment.Output.RoundRobin _ -> out.setOutput(PlanProto.Fragment.Output.ROUND_ROBIN);
        }
        return out.build();
    }

    private static Fragment readFragment(PlanProto.Fragment fragment) {
        Fragment.Output output = switch (fragment.getOutput()) {
            case GATHER -> new Fragment.Output.Gather();
            case HASH_PARTITIONED -> new Fragment.Output.Hash(fragment.getHashColumnsList());
            case BROADCAST -> new Fragment.Output.Broadcast();
            case ROUND_ROBIN -> new Fragment.Output.RoundRobin();
            case UNRECOGNIZED -> throw Messages.unknown("an output");
        };
        return new Fragment(
                fragment.getId(),
                NodeCodec.read(fragment.getRoot()),
                Fragment.Distribution.valueOf(fragment.getDistribution().name()),
                output);
    }
}
