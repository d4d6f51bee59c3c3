package io.skep.storage.serde.container;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.StorageFileSystem;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Puts the row groups of RCFiles, as they are stored, into one new file. Owned by one thread. */
public final class RcFileConcatenation {
    /** As often as Hive, a mark precedes a row group, from which a reader of a part of the file begins. */
    private static final int MARK_INTERVAL = 2000;

    private static final int BUFFER_BYTES = 1 << 20;

    private final StorageFileSystem files;

    public RcFileConcatenation(StorageFileSystem files) {
        this.files = files;
    }

    /**
     * Whether the files can become one: their row groups have the same number of columns and are compressed alike. A
     * file without a byte has no row groups.
     *
     * @throws SkepException CORRUPT_FILE when a file is not an RCFile
     */
    public boolean isPossible(List<String> paths) {
        Set<RcFileHeader> headers = new HashSet<>();
        for (String path : paths) {
            Interruption.check();
            read(path, (header, _) -> headers.add(header));
        }
        return headers.size() == 1;
    }

    /**
     * Writes the file. An interrupt cancels that with OPERATION_CANCELED.
     *
     * @param paths files that {@link #isPossible} has accepted
     * @param to must not exist
     * @throws SkepException CORRUPT_FILE when a length in a file exceeds what the file has
     */
    public void write(List<String> paths, String to) {
        byte[] mark = new byte[SyncedInput.MARK_BYTES];
        new SecureRandom().nextBytes(mark);
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(files.create(to), BUFFER_BYTES))) {
            Groups written = new Groups(out, mark);
            for (String path : paths) {
                read(path, written::append);
            }
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot write " + to, e);
        }
    }

    private interface Reading {
        void read(RcFileHeader header, SyncedInput groups) throws IOException;
    }

    private void read(String path, Reading reading) {
        try (BoundedInput in = BoundedInput.of(files.open(path))) {
            if (in.left() > 0) {
                SyncedInput groups = new SyncedInput(in);
                reading.read(RcFileHeader.read(groups), groups);
            }
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.CORRUPT_FILE, "cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    /** The file that is written. */
    private static final class Groups {
        private final DataOutputStream out;
        private final byte[] mark;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private boolean isBegun;
        private long position;
        private long lastMark;

        private Groups(DataOutputStream out, byte[] mark) {
            this.out = out;
            this.mark = mark;
        }

        private void append(RcFileHeader header, SyncedInput groups) throws IOException {
            if (!isBegun) {
                header.write(out);
                out.write(mark);
                position = out.size();
                isBegun = true;
            }
            for (int length = groups.nextLength(); length >= 0; length = groups.nextLength()) {
                copy(length, groups.bytes());
            }
        }

        /** @param length bytes of the uncompressed key and of the values */
        private void copy(int length, BoundedInput in) throws IOException {
            int keyLength = in.readInt();
            int packedLength = in.readInt();
            if (keyLength < 0 || keyLength > length) {
                throw new IOException("key of " + keyLength + " bytes in a record of " + length);
            }
            long stored = (long) in.count(packedLength, "key") + length - keyLength;
            if (stored > in.left()) {
                throw new IOException("row group of " + stored + " bytes, but " + in.left() + " are left");
            }
            if (position - lastMark >= MARK_INTERVAL) {
                lastMark = position;
                out.writeInt(SyncedInput.ESCAPE);
                out.write(mark);
                position += Integer.BYTES + mark.length;
            }
            out.writeInt(length);
            out.writeInt(keyLength);
            out.writeInt(packedLength);
            for (long left = stored; left > 0; ) {
                Interruption.check();
                int count = (int) Math.min(left, buffer.length);
                in.readFully(buffer, 0, count);
                out.write(buffer, 0, count);
                left -= count;
            }
            position += 3L * Integer.BYTES + stored;
        }
    }
}
