package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskSubmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what {@link SubmissionWriter} has written. Tasks share the objects that the message has once. */
final class SubmissionReader {
    private record Query(QueryId id, String plan, Map<String, String> settings) {}

    private final List<Query> queries;
    private final List<DaemonIdentity> daemons;
    private final List<Map<Integer, List<OutputLocation>>> inputs;

    SubmissionReader(DaemonProto.ClientMessage message) {
        queries = Messages.convert(message.getQueriesList(), SubmissionReader::query);
        daemons = Messages.convert(message.getDaemonsList(), IdentityCodec::read);
        inputs = Messages.convert(message.getInputsList(), this::inputs);
    }

    private static Query query(DaemonProto.Query query) {
        Map<String, String> settings = new HashMap<>();
        for (DaemonProto.Setting setting : query.getSettingsList()) {
            settings.put(setting.getName(), setting.getValue());
        }
        return new Query(new QueryId(query.getId()), query.getPlan(), Map.copyOf(settings));
    }

    private Map<Integer, List<OutputLocation>> inputs(DaemonProto.Inputs message) {
        Map<Integer, List<OutputLocation>> fragments = new HashMap<>();
        for (DaemonProto.FragmentOutputs fragment : message.getFragmentsList()) {
            fragments.put(
                    Messages.count(fragment.getFragment()),
                    Messages.convert(fragment.getOutputsList(), this::location));
        }
        return Map.copyOf(fragments);
    }

    private OutputLocation location(DaemonProto.OutputLocation location) {
        return new OutputLocation(
                Messages.part(daemons, location.getDaemon()),
                IdentityCodec.attempt(location.getFragment(), location.getTask(), location.getAttempt()));
    }

    TaskSubmission read(DaemonProto.Task task) {
        Query query = Messages.part(queries, task.getQuery());
        return new TaskSubmission(
                query.id(),
                query.plan(),
                Messages.count(task.getFragment()),
                Messages.count(task.getTask()),
                Messages.count(task.getAttempt()),
                Messages.count(task.getOutputPartitions()),
                splits(task.getSplitsList()),
                Messages.part(inputs, task.getInputs()),
                new PartitionRange(task.getFirstPartition(), task.getPartitionCount()),
                Set.copyOf(Messages.counts(task.getMirroredJoinsList())),
                Messages.counts(task.getReportedColumnsList()),
                task.getRetainOutput(),
                Messages.count(task.getDrivers()),
                query.settings());
    }

    private static Map<Integer, List<LazyEncoded>> splits(List<DaemonProto.ScanSplits> scans) {
        Map<Integer, List<LazyEncoded>> splits = new HashMap<>();
        for (DaemonProto.ScanSplits scan : scans) {
            splits.put(
                    Messages.count(scan.getScan()),
                    Messages.convert(scan.getSplitsList(), split -> LazyEncoded.ofBytes(split.toByteArray())));
        }
        return splits;
    }
}
