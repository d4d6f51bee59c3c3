package io.skep.storage.table;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What readers of a file of a transactional table must know about its rows in a snapshot. Each row has an identifier:
 * the write id that inserted it, a bucket property and a row id. Delete events name the rows that are gone.
 *
 * @param derived how identifiers follow from the rows' positions, for a file without {@link AcidColumn}s
 * @param mixed whether rows of write ids that are not part of the snapshot may be among the file's rows
 * @param deleteFiles the files with all delete events that may name rows of the file
 * @param withDeleted whether deleted rows are returned too, for {@link VirtualColumn#ROW_IS_DELETED}
 * @param writeIds the snapshot, in the text form of Hive's ValidReaderWriteIdList. Absent when all rows of the file and
 *     all delete events are part of the snapshot
 */
public record AcidInfo(
        Optional<DerivedRowIds> derived,
        boolean mixed,
        List<FileVersion> deleteFiles,
        boolean withDeleted,
        Optional<String> writeIds) {
    public AcidInfo {
        deleteFiles = List.copyOf(deleteFiles);
        if (mixed && writeIds.isEmpty()) {
            throw new IllegalArgumentException("rows cannot be checked without a snapshot");
        }
    }

    /**
     * The identifiers of rows in a file that was written without them, for example before the table became
     * transactional. All rows have the same write id and bucket property, and their row ids ascend.
     *
     * @param bucket the bucket property
     * @param firstRowId the row id of the file's first row; empty when the scan needs no row ids
     */
    public record DerivedRowIds(long writeId, int bucket, OptionalLong firstRowId) {}

    /** Whether the file has {@link AcidColumn}s, and the table's columns as the fields of a struct beside them. */
    public boolean stored() {
        return derived.isEmpty();
    }
}
