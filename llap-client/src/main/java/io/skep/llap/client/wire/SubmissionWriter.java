package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.TaskSubmission;
import java.util.List;
import java.util.Map;

/**
 * Converts the tasks to run of one message. Queries, inputs and daemons are the same for many tasks, so the message has
 * them once.
 */
final class SubmissionWriter {
    private record Query(QueryId id, String plan, Map<String, String> settings) {}

    private final SharedParts<Query> queries;
    private final SharedParts<Map<Integer, List<OutputLocation>>> inputs;
    private final SharedParts<DaemonIdentity> daemons;

    /** @param message to which the parts that tasks share are added */
    SubmissionWriter(DaemonProto.ClientMessage.Builder message) {
        queries = new SharedParts<>(query -> message.addQueries(write(query)));
        inputs = new SharedParts<>(outputs -> message.addInputs(write(outputs)));
        daemons = new SharedParts<>(daemon -> message.addDaemons(IdentityCodec.write(daemon)));
    }

    DaemonProto.Task write(TaskSubmission task) {
        DaemonProto.Task.Builder out = DaemonProto.Task.newBuilder()
                .setQuery(queries.index(new Query(task.query(), task.plan(), task.settings())))
                .setFragment(task.fragment())
                .setTask(task.task())
                .setAttempt(task.attempt())
                .setOutputPartitions(task.outputPartitions())
                .setFirstPartition(task.reads().first())
                .setPartitionCount(task.reads().count())
                .addAllMirroredJoins(task.mirroredJoins())
                .addAllReportedColumns(task.reported())
                .setRetainOutput(task.retainOutput())
                .setDrivers(task.drivers())
                .setInputs(inputs.index(task.inputs()));
        task.splits().forEach((scan, splits) -> out.addSplits(splits(scan, splits)));
        return out.build();
    }

    private static DaemonProto.ScanSplits splits(int scan, List<LazyEncoded> splits) {
        DaemonProto.ScanSplits.Builder out = DaemonProto.ScanSplits.newBuilder().setScan(scan);
        splits.forEach(split -> out.addSplits(Messages.wrap(split.bytes())));
        return out.build();
    }

    private static DaemonProto.Query write(Query query) {
        DaemonProto.Query.Builder out =
                DaemonProto.Query.newBuilder().setId(query.id().value()).setPlan(query.plan());
        query.settings().forEach((name, value) -> out.addSettings(write(name, value)));
        return out.build();
    }

    private static DaemonProto.Setting write(String name, String value) {
        return DaemonProto.Setting.newBuilder().setName(name).setValue(value).build();
    }

    private DaemonProto.Inputs write(Map<Integer, List<OutputLocation>> fragments) {
        DaemonProto.Inputs.Builder out = DaemonProto.Inputs.newBuilder();
        fragments.forEach((fragment, outputs) -> out.addFragments(outputs(fragment, outputs)));
        return out.build();
    }

    private DaemonProto.FragmentOutputs outputs(int fragment, List<OutputLocation> outputs) {
        DaemonProto.FragmentOutputs.Builder out =
                DaemonProto.FragmentOutputs.newBuilder().setFragment(fragment);
        outputs.forEach(output -> out.addOutputs(write(output)));
        return out.build();
    }

    private DaemonProto.OutputLocation write(OutputLocation location) {
        return DaemonProto.OutputLocation.newBuilder()
                .setDaemon(daemons.index(location.daemon()))
                .setFragment(location.output().fragment())
                .setTask(location.output().task())
                .setAttempt(location.output().attempt())
                .build();
    }
}
