package io.skep.ql.statistics;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.skep.ql.commit.TableFiles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/**
 * A fingerprint of the files of a table or partition: 128 bits of the SHA-256 of their names below its folder, their
 * lengths and times. It does not change when the folder is renamed.
 */
final class PlaceListing {
    private static final int DIGITS = 32;

    private PlaceListing() {}

    /** @return the fingerprint as hexadecimal text */
    static String of(String location, List<TableFiles.TableFile> files) {
        Hasher hasher = Hashing.sha256().newHasher();
        ByteBuffer numbers = ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES);
        for (TableFiles.TableFile file : files.stream()
                .sorted(Comparator.comparing(TableFiles.TableFile::path))
                .toList()) {
            byte[] name = (file.path().startsWith(location) ? file.path().substring(location.length()) : file.path())
                    .getBytes(StandardCharsets.UTF_8);
            numbers.clear().putInt(name.length).putLong(file.length()).putLong(file.modificationTime());
            hasher.putBytes(numbers.array()).putBytes(name);
        }
        return hasher.hash().toString().substring(0, DIGITS);
    }
}
