package io.skep.engine.plan.codec;

import io.skep.storage.acid.AcidWrite;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.AcidInfo.DerivedRowIds;
import io.skep.storage.table.FileVersion;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts what splits and writes of transactional tables add to the messages of these names and back. */
final class AcidCodec {
    private AcidCodec() {}

    static PlanProto.AcidInfo write(AcidInfo acid) {
        PlanProto.AcidInfo.Builder out = PlanProto.AcidInfo.newBuilder()
                .setMixed(acid.mixed())
                .addAllDeleteFiles(Messages.convert(acid.deleteFiles(), AcidCodec::writeFile))
                .setWithDeleted(acid.withDeleted());
        acid.derived().ifPresent(derived -> out.setDerived(writeDerived(derived)));
        acid.writeIds().ifPresent(out::setWriteIds);
        return out.build();
    }

    static AcidInfo read(PlanProto.AcidInfo acid) {
        return new AcidInfo(
                acid.hasDerived() ? Optional.of(readDerived(acid.getDerived())) : Optional.empty(),
                acid.getMixed(),
                Messages.convert(acid.getDeleteFilesList(), AcidCodec::readFile),
                acid.getWithDeleted(),
                acid.hasWriteIds() ? Optional.of(acid.getWriteIds()) : Optional.empty());
    }

    static PlanProto.AcidWrite writeWrite(AcidWrite write) {
        return PlanProto.AcidWrite.newBuilder()
                .setKind(
                        switch (write.kind()) {
                            case INSERT -> PlanProto.AcidWrite.Kind.INSERT;
                            case OVERWRITE -> PlanProto.AcidWrite.Kind.OVERWRITE;
                            case DELETE -> PlanProto.AcidWrite.Kind.DELETE;
                        })
                .setWriteId(write.writeId())
                .setStatement(write.statement())
                .build();
    }

    static AcidWrite readWrite(PlanProto.AcidWrite write) {
        AcidWrite.Kind kind = switch (write.getKind()) {
            case INSERT -> AcidWrite.Kind.INSERT;
            case OVERWRITE -> AcidWrite.Kind.OVERWRITE;
            case DELETE -> AcidWrite.Kind.DELETE;
            case UNRECOGNIZED -> throw Messages.unknown("a kind of write");
        };
        return new AcidWrite(kind, write.getWriteId(), write.getStatement());
    }

    private static PlanProto.DerivedRowIds writeDerived(DerivedRowIds derived) {
        PlanProto.DerivedRowIds.Builder out = PlanProto.DerivedRowIds.newBuilder()
                .setWriteId(derived.writeId())
                .setBucket(derived.bucket());
        derived.firstRowId().ifPresent(out::setFirstRowId);
        return out.build();
    }

    private static DerivedRowIds readDerived(PlanProto.DerivedRowIds derived) {
        return new DerivedRowIds(
                derived.getWriteId(),
                derived.getBucket(),
                derived.hasFirstRowId() ? OptionalLong.of(derived.getFirstRowId()) : OptionalLong.empty());
    }

    private static PlanProto.FileVersion writeFile(FileVersion file) {
        return PlanProto.FileVersion.newBuilder()
                .setPath(file.path())
                .setLength(file.length())
                .setModificationTime(file.modificationTime())
                .setIdentity(file.identity())
                .build();
    }

    private static FileVersion readFile(PlanProto.FileVersion file) {
        return new FileVersion(file.getPath(), file.getLength(), file.getModificationTime(), file.getIdentity());
    }
}
