package io.skep.ql.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Encodes journals as bytes: three lines of JSON, each preceded by {@code skep-commit}, the version of the format, the
 * number of its bytes and their CRC32C. The first and the last line name the tables, so that the tables are known when
 * the journal between them is damaged.
 */
final class CommitJournalCodec {
    private static final int VERSION = 2;
    private static final Pattern HEAD = Pattern.compile("skep-commit (\\d{1,9}) (\\d{1,9}) ([0-9a-f]{8})");
    private static final int LONGEST_HEAD = 64;

    /**
     * The limit of a journal that is packed, in unpacked bytes. A journal of half a million files has about this size.
     */
    private static final int MAX_BYTES = 256 << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The content of the first and the last line. */
    private record Tables(List<String> tables) {}

    private CommitJournalCodec() {}

    static byte[] encode(CommitJournal journal) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Tables tables = new Tables(journal.keys().stream().sorted().toList());
            write(out, JSON.writeValueAsBytes(tables));
            write(out, JSON.writeValueAsBytes(journal));
            write(out, JSON.writeValueAsBytes(tables));
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(OutputStream out, byte[] line) throws IOException {
        String head = "skep-commit " + VERSION + " " + line.length + " " + checksum(line, 0, line.length) + "\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(line);
        out.write('\n');
    }

    private static String checksum(byte[] bytes, int from, int count) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, count);
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    /** @throws SkepException CORRUPT_FILE when a byte differs from what was written */
    static CommitJournal decode(byte[] bytes) {
        List<byte[]> lines = lines(bytes);
        if (lines.size() != 3) {
            throw unreadable("it is damaged", null);
        }
        try {
            return JSON.readValue(lines.get(1), CommitJournal.class);
        } catch (IOException e) {
            throw unreadable("it is of another version of Skep: " + firstLine(e), e);
        }
    }

    private static String firstLine(IOException e) {
        return e instanceof JsonProcessingException json ? json.getOriginalMessage() : String.valueOf(e.getMessage());
    }

    private static SkepException unreadable(String why, @org.jspecify.annotations.Nullable Throwable cause) {
        String text = "the journal of a commit cannot be read: " + why;
        return cause == null
                ? new SkepException(StandardErrorCode.CORRUPT_FILE, text)
                : new SkepException(StandardErrorCode.CORRUPT_FILE, text, cause);
    }

    /** Returns the intact lines, from the first one on. */
    private static List<byte[]> lines(byte[] bytes) {
        List<byte[]> lines = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            Optional<byte[]> line = lineAt(bytes, at);
            if (line.isEmpty()) {
                return List.of();
            }
            lines.add(line.get());
            at = endOfHead(bytes, at) + 1 + line.get().length + 1;
        }
        return lines;
    }

    private static int endOfHead(byte[] bytes, int at) {
        int limit = Math.min(bytes.length, at + LONGEST_HEAD);
        for (int i = at; i < limit; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static Optional<byte[]> lineAt(byte[] bytes, int at) {
        int end = endOfHead(bytes, at);
        if (end < 0) {
            return Optional.empty();
        }
        Matcher head = HEAD.matcher(new String(bytes, at, end - at, StandardCharsets.ISO_8859_1));
        if (!head.matches() || Integer.parseInt(head.group(1)) != VERSION) {
            return Optional.empty();
        }
        int length = Integer.parseInt(head.group(2));
        boolean isWhole = length < bytes.length - end - 1 && bytes[end + 1 + length] == '\n';
        return isWhole && checksum(bytes, end + 1, length).equals(head.group(3))
                ? Optional.of(Arrays.copyOfRange(bytes, end + 1, end + 1 + length))
                : Optional.empty();
    }

    /** Returns the tables of a damaged journal, as far as it can still be read. */
    static Set<String> tables(byte[] bytes) {
        Set<String> tables = new LinkedHashSet<>();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (int at = text.indexOf("skep-commit "); at >= 0; at = text.indexOf("skep-commit ", at + 1)) {
            lineAt(bytes, at).ifPresent(line -> {
                try {
                    JSON.readValue(line, Tables.class).tables().stream()
                            .filter(Objects::nonNull)
                            .forEach(tables::add);
                } catch (IOException e) {
                    // This is the line of the journal itself, or a line of another version.
                    tables.addAll(List.of());
                }
            });
        }
        return tables;
    }

    /**
     * Compresses a journal for a database. The paths of one commit have much in common.
     *
     * @throws SkepException NOT_SUPPORTED when the journal is longer than {@link #unpack} would read
     */
    static byte[] pack(CommitJournal journal) {
        byte[] plain = encode(journal);
        if (plain.length > MAX_BYTES) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the journal of a commit has " + plain.length + " bytes, more than " + MAX_BYTES)
                    .withHint("write fewer partitions or larger files in one statement");
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /**
     * @throws SkepException CORRUPT_FILE when a byte has changed since the journal was packed, or when it unpacks to
     *     more than {@link #pack} accepts
     */
    static CommitJournal unpack(byte[] packed) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] plain = in.readNBytes(MAX_BYTES + 1);
            if (plain.length > MAX_BYTES) {
                throw unreadable("it unpacks to more than " + MAX_BYTES + " bytes", null);
            }
            return decode(plain);
        } catch (IOException e) {
            throw unreadable("it is damaged", e);
        }
    }
}
