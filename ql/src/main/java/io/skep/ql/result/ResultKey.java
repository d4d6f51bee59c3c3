package io.skep.ql.result;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.storage.table.Split;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a repeatable query follow from: its plan, the versions of the files that it reads with the deletes
 * and the snapshot that apply to them, and the settings of its tasks. Two keys are equal only if all of this is equal,
 * byte for byte.
 */
public final class ResultKey {
    /** Queries over more splits are not kept: a key is as large as the list of its files. */
    private static final int MAX_SPLITS = 10_000;

    private static final int MAX_BYTES = 4 << 20;

    private final byte[] plan;
    private final byte[] input;
    private final int hash;

    private ResultKey(byte[] plan, byte[] input) {
        this.plan = plan;
        this.input = input;
        this.hash = 31 * Arrays.hashCode(plan) + Arrays.hashCode(input);
    }

    /**
     * Returns the key of a run whose files have been listed.
     *
     * @param listedMillis the time at which the listing began
     * @return empty if a file was changed so recently that a further change would not be visible, or if the key would
     *     be too large
     */
    public static Optional<ResultKey> of(StageGraphRun run, long listedMillis) {
        int count = run.splits().values().stream().mapToInt(List::size).sum();
        if (count > MAX_SPLITS || !isSettled(run, listedMillis)) {
            return Optional.empty();
        }
        byte[] plan = PlanCodec.encode(run.graph());
        byte[] input = input(run);
        return plan.length + (long) input.length > MAX_BYTES
                ? Optional.empty()
                : Optional.of(new ResultKey(plan, input));
    }

    private static boolean isSettled(StageGraphRun run, long listedMillis) {
        return run.splits().values().stream()
                .flatMap(List::stream)
                .allMatch(split -> split.file().settledAt(listedMillis)
                        && split.acid().stream()
                                .flatMap(acid -> acid.deleteFiles().stream())
                                .allMatch(file -> file.settledAt(listedMillis)));
    }

    private static byte[] input(StageGraphRun run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (Map.Entry<Integer, List<Split>> scan : new TreeMap<>(run.splits()).entrySet()) {
                out.writeInt(scan.getKey());
                out.writeInt(scan.getValue().size());
                for (Split split : scan.getValue()) {
                    write(PlanCodec.encodeSplit(split), out);
                }
            }
            for (Map.Entry<String, String> setting : new TreeMap<>(run.settings()).entrySet()) {
                write(setting.getKey().getBytes(UTF_8), out);
                write(setting.getValue().getBytes(UTF_8), out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(byte[] part, DataOutputStream out) throws IOException {
        out.writeInt(part.length);
        out.write(part);
    }

    /** Returns the size in bytes. */
    long bytes() {
        return (long) plan.length + input.length;
    }

    boolean isOfPlan(byte[] other) {
        return Arrays.equals(plan, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResultKey that
                && hash == that.hash
                && Arrays.equals(plan, that.plan)
                && Arrays.equals(input, that.input);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
