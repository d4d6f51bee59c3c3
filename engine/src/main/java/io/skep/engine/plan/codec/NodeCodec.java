package io.skep.engine.plan.codec;

import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.engine.plan.Script;
import io.skep.engine.plan.ScriptFile;
import io.skep.storage.scan.ScanRequest;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts nodes to the message Node, in which the message of each kind of node is, and back. */
final class NodeCodec {
    private NodeCodec() {}

    static PlanProto.Node write(PlanNode node) {
        PlanProto.Node.Builder out = PlanProto.Node.newBuilder();
        return switch (node) {
            case PlanNode.Scan n -> out.setScan(scan(n)).build();
            case PlanNode.Values n -> out.setValues(values(n)).build();
            case PlanNode.RemoteSource n -> out.setRemoteSource(remoteSource(n)).build();
            case PlanNode.Filter n -> out.setFilter(filter(n)).build();
            case PlanNode.Project n -> out.setProject(project(n)).build();
            case PlanNode.Expand n -> out.setExpand(expand(n)).build();
            case PlanNode.Aggregate n -> out.setAggregate(aggregate(n)).build();
            case PlanNode.Join n -> out.setJoin(join(n)).build();
            case PlanNode.Sort n -> out.setSort(sort(n)).build();
            case PlanNode.TopN n -> out.setTopN(topN(n)).build();
            case PlanNode.Limit n -> out.setLimit(limit(n)).build();
            case PlanNode.Window n -> out.setWindow(window(n)).build();
            case PlanNode.UnionAll n -> out.setUnionAll(unionAll(n)).build();
            case PlanNode.TableFunction n ->
                out.setTableFunction(tableFunction(n)).build();
            case PlanNode.TableWrite n -> out.setTableWrite(tableWrite(n)).build();
            case PlanNode.Transform n -> out.setTransform(transform(n)).build();
        };
    }

    static PlanNode read(PlanProto.Node node) {
        return switch (node.getKindCase()) {
            case SCAN -> scan(node.getScan());
            case VALUES -> values(node.getValues());
            case REMOTE_SOURCE -> remoteSource(node.getRemoteSource());
            case FILTER -> filter(node.getFilter());
            case PROJECT -> project(node.getProject());
            case EXPAND -> expand(node.getExpand());
            case AGGREGATE -> aggregate(node.getAggregate());
            case JOIN -> join(node.getJoin());
            case SORT -> sort(node.getSort());
            case TOP_N -> topN(node.getTopN());
            case LIMIT -> limit(node.getLimit());
            case WINDOW -> window(node.getWindow());
            case UNION_ALL -> unionAll(node.getUnionAll());
            case TABLE_FUNCTION -> tableFunction(node.getTableFunction());
            case TABLE_WRITE -> tableWrite(node.getTableWrite());
            case TRANSFORM -> transform(node.getTransform());
            case KIND_NOT_SET -> throw Messages.unknown("a node");
        };
    }

    private static PlanProto.Scan scan(PlanNode.Scan node) {
        PlanProto.Scan.Builder out = PlanProto.Scan.newBuilder()
                .setId(node.id())
                .setTable(TableCodec.writeTable(node.request().table()))
                .addAllColumns(node.request().columns())
                .addAllPredicates(Messages.convert(node.request().predicates(), PredicateCodec::write))
                .addAllRuntimeFilters(Messages.convert(node.runtimeFilters(), NodeCodec::runtimeFilter))
                .addAllSplitFilters(Messages.convert(node.splitFilters(), NodeCodec::splitFilter));
        node.filter().ifPresent(filter -> out.setFilter(ExpressionCodec.write(filter)));
        return out.build();
    }

    private static PlanNode scan(PlanProto.Scan node) {
        ScanRequest request = new ScanRequest(
                TableCodec.readTable(node.getTable()),
                node.getColumnsList(),
                Messages.convert(node.getPredicatesList(), PredicateCodec::read));
        return new PlanNode.Scan(
                node.getId(),
                request,
                node.hasFilter() ? Optional.of(ExpressionCodec.read(node.getFilter())) : Optional.empty(),
                Messages.convert(node.getRuntimeFiltersList(), NodeCodec::runtimeFilter),
                Messages.convert(node.getSplitFiltersList(), NodeCodec::splitFilter));
    }

    private static PlanProto.RuntimeFilter runtimeFilter(RuntimeFilter filter) {
        return PlanProto.RuntimeFilter.newBuilder()
                .setId(filter.id())
                .setColumn(filter.column())
                .build();
    }

    private static RuntimeFilter runtimeFilter(PlanProto.RuntimeFilter filter) {
        return new RuntimeFilter(filter.getId(), filter.getColumn());
    }

    private static PlanProto.SplitFilter splitFilter(DynamicPartitionFilter filter) {
        return PlanProto.SplitFilter.newBuilder()
                .setColumn(filter.column())
                .addAllFragments(filter.fragments())
                .setSource(filter.source())
                .build();
    }

    private static DynamicPartitionFilter splitFilter(PlanProto.SplitFilter filter) {
        return new DynamicPartitionFilter(filter.getColumn(), filter.getFragmentsList(), filter.getSource());
    }

    private static PlanProto.Values values(PlanNode.Values node) {
        return PlanProto.Values.newBuilder()
                .addAllTypes(Messages.convert(node.outputTypes(), TypeCodec::write))
                .addAllRows(Messages.convert(node.rows(), DatumCodec::writeAll))
                .build();
    }

    private static PlanNode values(PlanProto.Values node) {
        return new PlanNode.Values(
                Messages.convert(node.getTypesList(), TypeCodec::read),
                Messages.convert(node.getRowsList(), DatumCodec::readAll));
    }

    private static PlanProto.RemoteSource remoteSource(PlanNode.RemoteSource node) {
        return PlanProto.RemoteSource.newBuilder()
                .addAllFragments(node.fragments())
                .addAllTypes(Messages.convert(node.outputTypes(), TypeCodec::write))
                .addAllMergeOrder(Messages.convert(node.mergeOrder(), CallCodec::writeSortKey))
                .build();
    }

    private static PlanNode remoteSource(PlanProto.RemoteSource node) {
        return new PlanNode.RemoteSource(
                node.getFragmentsList(),
                Messages.convert(node.getTypesList(), TypeCodec::read),
                Messages.convert(node.getMergeOrderList(), CallCodec::readSortKey));
    }

    private static PlanProto.Filter filter(PlanNode.Filter node) {
        return PlanProto.Filter.newBuilder()
                .setInput(write(node.input()))
                .setPredicate(ExpressionCodec.write(node.predicate()))
                .build();
    }

    private static PlanNode filter(PlanProto.Filter node) {
        return new PlanNode.Filter(read(node.getInput()), ExpressionCodec.read(node.getPredicate()));
    }

    private static PlanProto.Project project(PlanNode.Project node) {
        return PlanProto.Project.newBuilder()
                .setInput(write(node.input()))
                .addAllExpressions(Messages.convert(node.expressions(), ExpressionCodec::write))
                .build();
    }

    private static PlanNode project(PlanProto.Project node) {
        return new PlanNode.Project(
                read(node.getInput()), Messages.convert(node.getExpressionsList(), ExpressionCodec::read));
    }

    private static PlanProto.Expand expand(PlanNode.Expand node) {
        return PlanProto.Expand.newBuilder()
                .setInput(write(node.input()))
                .addAllProjections(Messages.convert(node.projections(), ExpressionCodec::writeAll))
                .build();
    }

    private static PlanNode expand(PlanProto.Expand node) {
        return new PlanNode.Expand(
                read(node.getInput()), Messages.convert(node.getProjectionsList(), ExpressionCodec::readAll));
    }

    private static PlanProto.Aggregate aggregate(PlanNode.Aggregate node) {
        return PlanProto.Aggregate.newBuilder()
                .setInput(write(node.input()))
                .setStep(PlanProto.Aggregate.Step.valueOf(node.step().name()))
                .addAllGroupColumns(node.groupColumns())
                .addAllCalls(Messages.convert(node.calls(), CallCodec::writeAggregate))
                .build();
    }

    private static PlanNode aggregate(PlanProto.Aggregate node) {
        return new PlanNode.Aggregate(
                read(node.getInput()),
                PlanNode.AggregateStep.valueOf(node.getStep().name()),
                node.getGroupColumnsList(),
                Messages.convert(node.getCallsList(), CallCodec::readAggregate));
    }

    private static PlanProto.Join join(PlanNode.Join node) {
        PlanProto.Join.Builder out = PlanProto.Join.newBuilder()
                .setLeft(write(node.left()))
                .setRight(write(node.right()))
                .setKind(PlanProto.Join.Kind.valueOf(node.kind().name()))
                .addAllLeftKeys(node.leftKeys())
                .addAllRightKeys(node.rightKeys())
                .addAllNullSafe(node.nullSafe())
                .addAllRuntimeFilters(Messages.convert(node.runtimeFilters(), NodeCodec::runtimeFilter));
        node.residual().ifPresent(residual -> out.setResidual(ExpressionCodec.write(residual)));
        return out.build();
    }

    private static PlanNode join(PlanProto.Join node) {
        return new PlanNode.Join(
                PlanNode.JoinKind.valueOf(node.getKind().name()),
                read(node.getLeft()),
                read(node.getRight()),
                node.getLeftKeysList(),
                node.getRightKeysList(),
                node.getNullSafeList(),
                node.hasResidual() ? Optional.of(ExpressionCodec.read(node.getResidual())) : Optional.empty(),
                Messages.convert(node.getRuntimeFiltersList(), NodeCodec::runtimeFilter));
    }

    private static PlanProto.Sort sort(PlanNode.Sort node) {
        return PlanProto.Sort.newBuilder()
                .setInput(write(node.input()))
                .addAllKeys(Messages.convert(node.keys(), CallCodec::writeSortKey))
                .build();
    }

    private static PlanNode sort(PlanProto.Sort node) {
        return new PlanNode.Sort(read(node.getInput()), Messages.convert(node.getKeysList(), CallCodec::readSortKey));
    }

    private static PlanProto.TopN topN(PlanNode.TopN node) {
        return PlanProto.TopN.newBuilder()
                .setInput(write(node.input()))
                .addAllKeys(Messages.convert(node.keys(), CallCodec::writeSortKey))
                .setCount(node.count())
                .build();
    }

    private static PlanNode topN(PlanProto.TopN node) {
        return new PlanNode.TopN(
                read(node.getInput()), Messages.convert(node.getKeysList(), CallCodec::readSortKey), node.getCount());
    }

    private static PlanProto.Limit limit(PlanNode.Limit node) {
        return PlanProto.Limit.newBuilder()
                .setInput(write(node.input()))
                .setOffset(node.offset())
                .setCount(node.count())
                .build();
    }

    private static PlanNode limit(PlanProto.Limit node) {
        return new PlanNode.Limit(read(node.getInput()), node.getOffset(), node.getCount());
    }

    private static PlanProto.Window window(PlanNode.Window node) {
        return PlanProto.Window.newBuilder()
                .setInput(write(node.input()))
                .addAllPartitionColumns(node.partitionColumns())
                .addAllOrder(Messages.convert(node.order(), CallCodec::writeSortKey))
                .addAllCalls(Messages.convert(node.calls(), CallCodec::writeWindow))
                .build();
    }

    private static PlanNode window(PlanProto.Window node) {
        return new PlanNode.Window(
                read(node.getInput()),
                node.getPartitionColumnsList(),
                Messages.convert(node.getOrderList(), CallCodec::readSortKey),
                Messages.convert(node.getCallsList(), CallCodec::readWindow));
    }

    private static PlanProto.UnionAll unionAll(PlanNode.UnionAll node) {
        return PlanProto.UnionAll.newBuilder()
                .addAllInputs(Messages.convert(node.inputs(), NodeCodec::write))
                .build();
    }

    private static PlanNode unionAll(PlanProto.UnionAll node) {
        return new PlanNode.UnionAll(Messages.convert(node.getInputsList(), NodeCodec::read));
    }

    private static PlanProto.TableFunction tableFunction(PlanNode.TableFunction node) {
        return PlanProto.TableFunction.newBuilder()
                .setInput(write(node.input()))
                .setFunction(node.function())
                .addAllArguments(Messages.convert(node.arguments(), ExpressionCodec::write))
                .addAllTypes(Messages.convert(node.functionTypes(), TypeCodec::write))
                .setOuter(node.outer())
                .build();
    }

    private static PlanNode tableFunction(PlanProto.TableFunction node) {
        return new PlanNode.TableFunction(
                read(node.getInput()),
                node.getFunction(),
                Messages.convert(node.getArgumentsList(), ExpressionCodec::read),
                Messages.convert(node.getTypesList(), TypeCodec::read),
                node.getOuter());
    }

    private static PlanProto.TableWrite tableWrite(PlanNode.TableWrite node) {
        PlanProto.TableWrite.Builder out = PlanProto.TableWrite.newBuilder()
                .setInput(write(node.input()))
                .setTable(TableCodec.writeTable(node.table()))
                .setStagingPath(node.stagingPath())
                .setStaticPartition(node.staticPartition())
                .addAllDynamicColumns(node.dynamicColumns())
                .setSummarized(node.summarized())
                .setBucketed(node.bucketed())
                .setChanges(node.changes())
                .addAllListFolders(node.listFolders())
                .addAllPartitionFormats(node.partitionFormats().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(TableCodec::writePartitionFormat)
                        .toList());
        node.rowIds().ifPresent(write -> out.setRowIds(AcidCodec.writeWrite(write)));
        return out.build();
    }

    private static PlanNode tableWrite(PlanProto.TableWrite node) {
        return new PlanNode.TableWrite(
                read(node.getInput()),
                TableCodec.readTable(node.getTable()),
                node.getStagingPath(),
                node.getStaticPartition(),
                node.getDynamicColumnsList(),
                node.getBucketed(),
                node.getSummarized(),
                node.getPartitionFormatsList().stream()
                        .collect(Collectors.toMap(
                                PlanProto.PartitionFormat::getPartition,
                                partition -> TableCodec.readFormat(partition.getFormat()),
                                (one, other) -> other)),
                node.getChanges(),
                node.hasRowIds() ? Optional.of(AcidCodec.readWrite(node.getRowIds())) : Optional.empty(),
                node.getListFoldersList());
    }

    private static PlanProto.Transform transform(PlanNode.Transform node) {
        Script script = node.script();
        return PlanProto.Transform.newBuilder()
                .setInput(write(node.input()))
                .addAllCommand(script.command())
                .addAllWrapper(script.wrapper())
                .setWritten(TableCodec.writeTable(script.input()))
                .setRead(TableCodec.writeTable(script.output()))
                .setEscaped(script.escaped())
                .addAllFiles(Messages.convert(
                        script.files(),
                        file -> PlanProto.ScriptFile.newBuilder()
                                .setUri(file.uri())
                                .setArchive(file.archive())
                                .build()))
                .build();
    }

    private static PlanNode transform(PlanProto.Transform node) {
        return new PlanNode.Transform(
                read(node.getInput()),
                new Script(
                        node.getCommandList(),
                        node.getWrapperList(),
                        TableCodec.readTable(node.getWritten()),
                        TableCodec.readTable(node.getRead()),
                        node.getEscaped(),
                        Messages.convert(
                                node.getFilesList(), file -> new ScriptFile(file.getUri(), file.getArchive()))));
    }
}
