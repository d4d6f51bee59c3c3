package io.skep.tez.wire;

import io.skep.llap.client.DaemonIdentity;
import io.skep.tez.plugin.InProcessDaemons;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of a vertex's processors. They travel as bytes in Tez's plan.
 *
 * @param daemons key of the query's daemons, see {@link InProcessDaemons}
 * @param identities of these daemons; tasks refer to them by their index in this list
 * @param fragment id in the stage graph
 * @param root whether its rows go to the client
 * @param outputPartitions how many tasks read its output
 * @param reported columns of its output whose values are reported
 * @param listeners fragments whose vertices receive these values
 * @param pruned whether the vertex manager assigns to each task the splits that it reads
 * @param tasks the planned input of each task, by task number
 */
public record VertexPayload(
        String daemons,
        List<DaemonIdentity> identities,
        String query,
        String planHash,
        int fragment,
        boolean root,
        int outputPartitions,
        Map<String, String> settings,
        List<Integer> reported,
        List<Integer> listeners,
        boolean pruned,
        List<TaskShare> tasks) {
    /**
     * The part of one task.
     *
     * @param daemon number of the daemon that it runs on
     * @param splits serialized splits by scan id
     */
    public record TaskShare(int daemon, int drivers, Map<Integer, List<byte[]>> splits) {
        public void write(DataOutputStream out) throws IOException {
            out.writeInt(daemon);
            out.writeInt(drivers);
            out.writeInt(splits.size());
            for (Map.Entry<Integer, List<byte[]>> scan : splits.entrySet()) {
                out.writeInt(scan.getKey());
                out.writeInt(scan.getValue().size());
                for (byte[] split : scan.getValue()) {
                    out.writeInt(split.length);
                    out.write(split);
                }
            }
        }

        public static TaskShare read(DataInputStream in) throws IOException {
            int daemon = in.readInt();
            int drivers = in.readInt();
            Map<Integer, List<byte[]>> splits = new HashMap<>();
            for (int scans = in.readInt(); scans > 0; scans--) {
                int scan = in.readInt();
                List<byte[]> list = new ArrayList<>();
                for (int count = in.readInt(); count > 0; count--) {
                    list.add(in.readNBytes(in.readInt()));
                }
                splits.put(scan, list);
            }
            return new TaskShare(daemon, drivers, splits);
        }
    }

    public ByteBuffer toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, daemons);
            out.writeInt(identities.size());
            for (DaemonIdentity daemon : identities) {
                OutputAddress.write(out, daemon);
            }
            write(out, query);
            write(out, planHash);
            out.writeInt(fragment);
            out.writeBoolean(root);
            out.writeInt(outputPartitions);
            write(out, settings);
            write(out, reported);
            write(out, listeners);
            out.writeBoolean(pruned);
            out.writeInt(tasks.size());
            for (TaskShare task : tasks) {
                task.write(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    public static void write(DataOutputStream out, Map<String, String> texts) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            write(out, text.getKey());
            write(out, text.getValue());
        }
    }

    public static void write(DataOutputStream out, List<Integer> numbers) throws IOException {
        out.writeInt(numbers.size());
        for (int number : numbers) {
            out.writeInt(number);
        }
    }

    /** Used in place of writeUTF, which is limited to 64 KB. */
    public static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static VertexPayload fromBytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new VertexPayload(
                    readText(in),
                    readIdentities(in),
                    readText(in),
                    readText(in),
                    in.readInt(),
                    in.readBoolean(),
                    in.readInt(),
                    readTexts(in),
                    readNumbers(in),
                    readNumbers(in),
                    in.readBoolean(),
                    readTasks(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<DaemonIdentity> readIdentities(DataInputStream in) throws IOException {
        List<DaemonIdentity> identities = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            identities.add(OutputAddress.readDaemon(in));
        }
        return identities;
    }

    static Map<String, String> readTexts(DataInputStream in) throws IOException {
        Map<String, String> settings = new HashMap<>();
        for (int i = in.readInt(); i > 0; i--) {
            settings.put(readText(in), readText(in));
        }
        return settings;
    }

    static List<Integer> readNumbers(DataInputStream in) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            numbers.add(in.readInt());
        }
        return numbers;
    }

    private static List<TaskShare> readTasks(DataInputStream in) throws IOException {
        List<TaskShare> tasks = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            tasks.add(TaskShare.read(in));
        }
        return tasks;
    }

    static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
