package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskSubmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Encodes tasks to run. Inputs and settings are the same for many tasks, so they are shared within a message. */
final class SubmissionCodec {
    /** Distinguishes settings from other equal maps, so that they are two shared values. */
    private record Settings(Map<String, String> all) {}

    private record Inputs(Map<Integer, List<OutputLocation>> all) {}

    private SubmissionCodec() {}

    static void write(WireWriter out, TaskSubmission task) {
        out.shared(task.query(), query -> out.text(query.value()))
                .shared(task.plan(), out::text)
                .number(task.fragment())
                .number(task.task())
                .number(task.attempt())
                .number(task.outputPartitions())
                .number(task.reads().first())
                .number(task.reads().count())
                .all(task.mirroredJoins(), join -> out.number(join))
                .all(task.reported(), column -> out.number(column))
                .flag(task.retainOutput())
                .number(task.drivers());
        map(out, task.splits(), (scan, splits) -> {
            out.number(scan);
            out.all(splits, split -> out.bytes(split.bytes()));
        });
        out.shared(
                new Inputs(task.inputs()),
                inputs -> map(out, inputs.all(), (fragment, locations) -> {
                    out.number(fragment);
                    out.all(locations, location -> IdentityCodec.write(out, location));
                }));
        out.shared(
                new Settings(task.settings()),
                settings ->
                        map(out, settings.all(), (name, value) -> out.text(name).text(value)));
    }

    static TaskSubmission read(WireReader in) {
        QueryId query = in.shared(QueryId.class, () -> new QueryId(in.text()));
        String plan = in.shared(String.class, in::text);
        int fragment = in.count();
        int task = in.count();
        int attempt = in.count();
        int partitions = in.count();
        PartitionRange reads = range(in.count(), in.count());
        Set<Integer> mirrored = Set.copyOf(in.all(in::count));
        List<Integer> reported = in.all(in::count);
        boolean retain = in.flag();
        int drivers = in.count();
        Map<Integer, List<LazyEncoded>> splits =
                map(in, in::count, () -> in.all(() -> LazyEncoded.ofBytes(in.bytes())));
        Inputs inputs = in.shared(
                Inputs.class, () -> new Inputs(map(in, in::count, () -> in.all(() -> IdentityCodec.readLocation(in)))));
        Settings settings = in.shared(Settings.class, () -> new Settings(map(in, in::text, in::text)));
        return new TaskSubmission(
                query,
                plan,
                fragment,
                task,
                attempt,
                partitions,
                splits,
                inputs.all(),
                reads,
                mirrored,
                reported,
                retain,
                drivers,
                settings.all());
    }

    private static PartitionRange range(int first, int count) {
        if (count < 1) {
            throw WireReader.damaged("a task reads no partition");
        }
        return new PartitionRange(first, count);
    }

    private static <K, V> void map(WireWriter out, Map<K, V> map, BiConsumer<K, V> write) {
        out.number(map.size());
        map.forEach(write);
    }

    private static <K, V> Map<K, V> map(WireReader in, Supplier<K> key, Supplier<V> value) {
        Map<K, V> map = new HashMap<>();
        for (int i = in.count(); i > 0; i--) {
            K name = key.get();
            map.put(name, value.get());
        }
        return Map.copyOf(map);
    }
}
