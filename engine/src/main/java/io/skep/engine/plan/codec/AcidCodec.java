package io.skep.engine.plan.codec;

import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.AcidInfo.DerivedRowIds;
import io.skep.storage.table.FileVersion;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts what splits of transactional tables add to the message of this name and back. */
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
