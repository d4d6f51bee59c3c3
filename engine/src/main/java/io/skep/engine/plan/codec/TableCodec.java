package io.skep.engine.plan.codec;

import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Converts tables, formats, columns and splits to the messages of these names and back. */
final class TableCodec {
    private TableCodec() {}

    static PlanProto.Table writeTable(TableLayout table) {
        return PlanProto.Table.newBuilder()
                .setName(table.name())
                .setFormat(writeFormat(table.format()))
                .addAllDataColumns(Messages.convert(table.dataColumns(), TableCodec::writeColumn))
                .addAllPartitionColumns(Messages.convert(table.partitionColumns(), TableCodec::writeColumn))
                .addAllProperties(writeProperties(table.properties()))
                .build();
    }

    static TableLayout readTable(PlanProto.Table table) {
        return new TableLayout(
                table.getName(),
                readFormat(table.getFormat()),
                Messages.convert(table.getDataColumnsList(), TableCodec::readColumn),
                Messages.convert(table.getPartitionColumnsList(), TableCodec::readColumn),
                readProperties(table.getPropertiesList()));
    }

    private static PlanProto.Format writeFormat(TableFormat format) {
        return PlanProto.Format.newBuilder()
                .setInputFormat(format.inputFormat())
                .setOutputFormat(format.outputFormat())
                .setSerde(format.serde())
                .addAllProperties(writeProperties(format.properties()))
                .build();
    }

    static TableFormat readFormat(PlanProto.Format format) {
        return new TableFormat(
                format.getInputFormat(),
                format.getOutputFormat(),
                format.getSerde(),
                readProperties(format.getPropertiesList()));
    }

    static PlanProto.PartitionFormat writePartitionFormat(Map.Entry<String, TableFormat> partition) {
        return PlanProto.PartitionFormat.newBuilder()
                .setPartition(partition.getKey())
                .setFormat(writeFormat(partition.getValue()))
                .build();
    }

    private static List<PlanProto.Property> writeProperties(Map<String, String> properties) {
        List<PlanProto.Property> written = new ArrayList<>(properties.size());
        new TreeMap<>(properties)
                .forEach((key, value) -> written.add(PlanProto.Property.newBuilder()
                        .setKey(key)
                        .setValue(value)
                        .build()));
        return written;
    }

    private static Map<String, String> readProperties(List<PlanProto.Property> properties) {
        Map<String, String> read = new TreeMap<>();
        properties.forEach(property -> read.put(property.getKey(), property.getValue()));
        return read;
    }

    private static PlanProto.Column writeColumn(Column column) {
        return PlanProto.Column.newBuilder()
                .setName(column.name())
                .setType(TypeCodec.write(column.type()))
                .build();
    }

    private static Column readColumn(PlanProto.Column column) {
        return new Column(column.getName(), TypeCodec.read(column.getType()));
    }

    static PlanProto.Split writeSplit(Split split) {
        PlanProto.Split.Builder out = PlanProto.Split.newBuilder();
        split.acid().ifPresent(acid -> out.setAcid(AcidCodec.write(acid)));
        return out.setVersion(PlanCodec.VERSION)
                .setPath(split.file().path())
                .setFileLength(split.file().length())
                .setModificationTime(split.file().modificationTime())
                .setIdentity(split.file().identity())
                .setStart(split.start())
                .setLength(split.length())
                .setFormat(writeFormat(split.format()))
                .addAllFileColumns(Messages.convert(split.fileColumns(), TableCodec::writeColumn))
                .addAllPartitionValues(Messages.convert(split.partitionValues(), TableCodec::writePartitionValue))
                .build();
    }

    static Split readSplit(PlanProto.Split split) {
        FileVersion file = new FileVersion(
                split.getPath(), split.getFileLength(), split.getModificationTime(), split.getIdentity());
        return new Split(
                file,
                split.getStart(),
                split.getLength(),
                readFormat(split.getFormat()),
                Messages.convert(split.getFileColumnsList(), TableCodec::readColumn),
                Messages.convert(split.getPartitionValuesList(), TableCodec::readPartitionValue),
                split.hasAcid() ? Optional.of(AcidCodec.read(split.getAcid())) : Optional.empty());
    }

    private static PlanProto.PartitionValue writePartitionValue(Optional<String> value) {
        PlanProto.PartitionValue.Builder out = PlanProto.PartitionValue.newBuilder();
        value.ifPresent(out::setValue);
        return out.build();
    }

    private static Optional<String> readPartitionValue(PlanProto.PartitionValue value) {
        return value.hasValue() ? Optional.of(value.getValue()) : Optional.empty();
    }
}
