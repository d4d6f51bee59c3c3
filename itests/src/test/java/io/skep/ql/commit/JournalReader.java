package io.skep.ql.commit;

import io.skep.itests.fuzz.InputReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Journals of commits. The first byte says whether the others are a whole file, its middle line, or a journal packed as
 * in a database.
 */
public final class JournalReader implements InputReader {
    private static final byte[] TABLES = "{\"tables\":[\"default.t\"]}".getBytes(StandardCharsets.US_ASCII);

    @Override
    public void read(byte[] input) {
        byte[] rest = input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
        switch (input.length == 0 ? 0 : Byte.toUnsignedInt(input[0]) % 4) {
            case 0 -> readFile(rest);
            case 1 -> readFile(file(List.of(TABLES, rest, TABLES)));
            case 2 -> readFile(file(List.of(rest, rest, rest)));
            default -> CommitJournalCodec.unpack(rest);
        }
    }

    /**
     * Reads a journal. The tables are also read separately, as the product does for a journal that cannot be decoded.
     */
    private static void readFile(byte[] file) {
        Set.copyOf(CommitJournalCodec.tables(file));
        Set.copyOf(LineJournal.tables(file));
        CommitJournalCodec.decode(file).keys();
    }

    private static byte[] file(List<byte[]> lines) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            CRC32C checksum = new CRC32C();
            checksum.update(line);
            String head =
                    "skep-commit 2 " + line.length + " " + HexFormat.of().toHexDigits((int) checksum.getValue()) + "\n";
            file.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
            file.writeBytes(line);
            file.write('\n');
        }
        return file.toByteArray();
    }
}
