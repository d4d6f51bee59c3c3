package io.skep.tez.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parameters of a vertex's processors in containers. They travel as bytes in Tez's plan. Large content is in files.
 *
 * @param folder of the query, see {@link QueryFolder}
 * @param files names of files in the folder, by the names that the plan uses
 * @param fragment id in the stage graph
 * @param root whether its rows go to the client
 * @param broadcast whether its output is one partition that all consumers read
 * @param outputPartitions how many tasks read its output
 * @param container memory of a task's container in bytes
 * @param cores of a task's container
 * @param reported columns of its output whose values are reported
 * @param listeners fragments whose vertices receive these values
 * @param pruned whether the vertex manager assigns to each task the splits that it reads
 * @param tasks by task number
 */
public record ContainerVertex(
        String query,
        String planHash,
        String folder,
        Map<String, String> files,
        int fragment,
        boolean root,
        boolean broadcast,
        int outputPartitions,
        long container,
        int cores,
        Map<String, String> settings,
        List<Integer> reported,
        List<Integer> listeners,
        boolean pruned,
        List<Share> tasks) {
    /**
     * The part of one task.
     *
     * @param offset of its splits in the folder's file of splits
     * @param length of its splits in that file
     */
    public record Share(int drivers, long offset, int length) {}

    public ContainerVertex {
        files = Map.copyOf(files);
        settings = Map.copyOf(settings);
        reported = List.copyOf(reported);
        listeners = List.copyOf(listeners);
        tasks = List.copyOf(tasks);
    }

    public ContainerVertex withPruning(List<Integer> told, List<Integer> to, boolean chosen) {
        return new ContainerVertex(
                query,
                planHash,
                folder,
                files,
                fragment,
                root,
                broadcast,
                outputPartitions,
                container,
                cores,
                settings,
                told,
                to,
                chosen,
                tasks);
    }

    public ByteBuffer toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            VertexPayload.write(out, query);
            VertexPayload.write(out, planHash);
            VertexPayload.write(out, folder);
            VertexPayload.write(out, files);
            out.writeInt(fragment);
            out.writeBoolean(root);
            out.writeBoolean(broadcast);
            out.writeInt(outputPartitions);
            out.writeLong(container);
            out.writeInt(cores);
            VertexPayload.write(out, settings);
            VertexPayload.write(out, reported);
            VertexPayload.write(out, listeners);
            out.writeBoolean(pruned);
            out.writeInt(tasks.size());
            for (Share task : tasks) {
                out.writeInt(task.drivers());
                out.writeLong(task.offset());
                out.writeInt(task.length());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    public static ContainerVertex fromBytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new ContainerVertex(
                    VertexPayload.readText(in),
                    VertexPayload.readText(in),
                    VertexPayload.readText(in),
                    VertexPayload.readTexts(in),
                    in.readInt(),
                    in.readBoolean(),
                    in.readBoolean(),
                    in.readInt(),
                    in.readLong(),
                    in.readInt(),
                    VertexPayload.readTexts(in),
                    VertexPayload.readNumbers(in),
                    VertexPayload.readNumbers(in),
                    in.readBoolean(),
                    readTasks(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Share> readTasks(DataInputStream in) throws IOException {
        List<Share> tasks = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            tasks.add(new Share(in.readInt(), in.readLong(), in.readInt()));
        }
        return tasks;
    }
}
