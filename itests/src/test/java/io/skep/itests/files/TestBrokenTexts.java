package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Text that does not match its table's definition: queries return the rows that Hive returns, or an error that names
 * the file.
 */
@ExtendWith(SharedServer.class)
final class TestBrokenTexts {
    private static final String CSV = "ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde'";
    private static final String JSON = "ROW FORMAT SERDE 'org.apache.hive.hcatalog.data.JsonSerDe'";
    private static final String COMMAS = "ROW FORMAT DELIMITED FIELDS TERMINATED BY ','";

    @TempDir
    private Path folder;

    private final ReleasedClient client = ReleasedClient.open();
    private final Connection connection;
    private final Statement statement;

    TestBrokenTexts(TestServer server) throws Exception {
        connection = client.connect(server.jdbcUrl());
        statement = connection.createStatement();
    }

    @BeforeEach
    void create() throws SQLException {
        statement.execute("CREATE DATABASE broken_texts");
    }

    @AfterEach
    void drop() throws Exception {
        statement.execute("DROP DATABASE broken_texts CASCADE");
        connection.close();
        client.close();
    }

    private Path table(String columns, String format, String file, byte[] content) throws SQLException, IOException {
        Path written = Files.write(folder.resolve(file), content);
        statement.execute("CREATE EXTERNAL TABLE broken_texts.t (" + columns + ") " + format + " LOCATION '"
                + folder.toUri() + "'");
        return written;
    }

    private List<String> rows(String columns) throws SQLException {
        List<String> read = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SELECT " + columns + " FROM broken_texts.t")) {
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    values.add(rows.getString(i));
                }
                read.add(String.join("|", values.stream().map(String::valueOf).toList()));
            }
        }
        return read;
    }

    private void assertRefused(Path file) throws SQLException {
        SQLException failure = catchThrowableOfType(SQLException.class, () -> rows("*"));
        assertThat((Throwable) failure).isNotNull();
        assertThat(failure.getMessage()).contains(file.toString());
        assertThat(failure.getErrorCode()).as(failure.getMessage()).isEqualTo(StandardErrorCode.CORRUPT_FILE.code());
        assertThat(failure.getSQLState()).isEqualTo(StandardErrorCode.CORRUPT_FILE.sqlState());
        assertThat(statement.execute("SELECT 1")).isTrue();
    }

    @Test
    void linesOfTextThatDoNotFit() throws Exception {
        byte[] lines = "1,one\n2\n3,three,extra\nx,bad\n5,??!\n".getBytes(StandardCharsets.ISO_8859_1);
        lines[lines.length - 4] = (byte) 0xff;
        lines[lines.length - 3] = (byte) 0xfe;
        table("a INT, b STRING", COMMAS, "t", lines);
        assertThat(rows("a, hex(b)")).containsExactly("1|6F6E65", "2|null", "3|7468726565", "null|626164", "5|FFFE21");
    }

    @Test
    void linesOfCsvThatDoNotFit() throws Exception {
        byte[] lines = "a,b\n1\n2,y,z,extra\n\"q,r\",3\n".getBytes(StandardCharsets.UTF_8);
        Path file = table("a STRING, b STRING", CSV, "t", lines);
        assertThat(rows("*")).containsExactly("a|b", "1|null", "2|y", "q,r|3");
        // As in Hive, a quote that is not closed hides the rest of its line alone.
        Files.writeString(file, "a,b\n5,\"unclosed\n\"unclosed,3\n4,d\n");
        assertThat(rows("*")).containsExactly("a|b", "5|null", "null|null", "4|d");
    }

    @Test
    void aLineThatIsNotJson() throws Exception {
        byte[] lines = "{\"a\":1,\"b\":\"x\"}\nnot json\n{\"a\":2}\n".getBytes(StandardCharsets.UTF_8);
        Path file = table("a INT, b STRING", JSON, "t", lines);
        assertRefused(file);
        Files.writeString(file, "{\"a\":1,\"b\":\"x\",\"c\":[]}\n{\"a\":2}\n");
        assertThat(rows("*")).containsExactly("1|x", "2|null");
    }

    @ParameterizedTest
    @ValueSource(classes = {GzipCodec.class, BZip2Codec.class})
    void compressedFilesThatEndEarly(Class<? extends CompressionCodec> type) throws Exception {
        CompressionCodec codec = ReflectionUtils.newInstance(type, new Configuration());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = codec.createOutputStream(bytes)) {
            for (int i = 0; i < 10_000; i++) {
                out.write((i + "," + Integer.toHexString(i * 31) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] whole = bytes.toByteArray();
        Path file = table("a INT, b STRING", COMMAS, "t" + codec.getDefaultExtension(), whole);
        assertThat(rows("count(*), sum(a)")).containsExactly("10000|49995000");
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertRefused(file);
        byte[] garbled = whole.clone();
        Arrays.fill(garbled, whole.length / 3, whole.length / 2, (byte) 0x55);
        Files.write(file, garbled);
        assertRefused(file);
    }

    /** A line of many megabytes is a value like any other. */
    @Test
    void aVeryLongLine() throws Exception {
        int length = 20_000_000;
        table("a STRING", "", "t", ("x".repeat(length) + "\nshort\n").getBytes(StandardCharsets.UTF_8));
        assertThat(rows("length(a)")).containsExactly(length + "", "5");
    }

    /** Reads ORC files through a table with column types to which the stored values cannot be converted. */
    @Test
    void orcOfAnotherSchema() throws Exception {
        statement.execute("CREATE EXTERNAL TABLE broken_texts.o (a INT, b STRING) STORED AS ORC LOCATION '"
                + folder.toUri() + "'");
        statement.execute("INSERT INTO broken_texts.o VALUES (1, 'x')");
        statement.execute("CREATE EXTERNAL TABLE broken_texts.t (a ARRAY<INT>, b STRING) STORED AS ORC LOCATION '"
                + folder.toUri() + "'");
        SQLException failure = catchThrowableOfType(SQLException.class, () -> rows("*"));
        assertThat((Throwable) failure).isNotNull();
        assertThat(failure.getMessage()).contains(folder.toString());
        assertThat(failure.getErrorCode())
                .as(failure.getMessage())
                .isNotIn(StandardErrorCode.INTERNAL_ERROR.code(), StandardErrorCode.UDF_FAILED.code());
    }
}
