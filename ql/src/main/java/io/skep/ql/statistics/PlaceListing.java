package io.skep.ql.statistics;

import io.skep.ql.commit.TableFiles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * A fingerprint of the files of a table or partition: 128 bits of the SHA-256 of their names below its folder, their
 * lengths and times. It does not change when the folder is renamed.
 */
final class PlaceListing {
    private static final int BYTES = 16;

    private PlaceListing() {}

    /** @return the fingerprint as hexadecimal text */
    static String of(String location, List<TableFiles.TableFile> files) {
        MessageDigest sha256 = sha256();
        ByteBuffer numbers = ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES);
        for (TableFiles.TableFile file : files.stream()
                .sorted(Comparator.comparing(TableFiles.TableFile::path))
                .toList()) {
            byte[] name = (file.path().startsWith(location) ? file.path().substring(location.length()) : file.path())
                    .getBytes(StandardCharsets.UTF_8);
            numbers.clear().putInt(name.length).putLong(file.length()).putLong(file.modificationTime());
            sha256.update(numbers.array());
            sha256.update(name);
        }
        return HexFormat.of().formatHex(sha256.digest(), 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
