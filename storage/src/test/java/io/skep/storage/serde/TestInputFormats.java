package io.skep.storage.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of tables whose input format is a class of a site. */
final class TestInputFormats {
    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    /** Reads lines in upper case, of all files. */
    public static final class UpperCase extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> getRecordReader(InputSplit split, JobConf job, Reporter reporter)
                throws IOException {
            return new FilterReader(super.getRecordReader(split, job, reporter));
        }
    }

    private record FilterReader(RecordReader<LongWritable, Text> lines) implements RecordReader<LongWritable, Text> {
        @Override
        public boolean next(LongWritable key, Text value) throws IOException {
            boolean found = lines.next(key, value);
            value.set(value.toString().toUpperCase(Locale.ROOT));
            return found;
        }

        @Override
        public LongWritable createKey() {
            return lines.createKey();
        }

        @Override
        public Text createValue() {
            return lines.createValue();
        }

        @Override
        public long getPos() throws IOException {
            return lines.getPos();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }

        @Override
        public float getProgress() throws IOException {
            return lines.getProgress();
        }
    }

    /** Leaves files out, as the input formats of Hudi do. */
    public static class Latest extends TextInputFormat {
        @Override
        protected FileStatus[] listStatus(JobConf job) throws IOException {
            return new FileStatus[] {super.listStatus(job)[0]};
        }
    }

    /** Inherits the choice. */
    public static final class LatestLines extends Latest {}

    @Test
    void inputFormatsOfUsersReadAllFiles() throws IOException {
        Files.writeString(folder.resolve("f"), "a\n");
        Files.writeString(folder.resolve("g"), "b\n");
        assertThat(tables.read(lines(UpperCase.class), folder.toString()))
                .containsExactlyInAnyOrder(
                        List.of(new Datum.OfBytes("A".getBytes(UTF_8))),
                        List.of(new Datum.OfBytes("B".getBytes(UTF_8))));
        tables.write(lines(UpperCase.class), folder + "/h", List.of(List.of(new Datum.OfBytes("c".getBytes(UTF_8)))));
        for (Class<?> choosing : List.of(Latest.class, LatestLines.class)) {
            TableLayout table = lines(choosing);
            SkepException read = catchThrowableOfType(SkepException.class, () -> tables.read(table, folder.toString()));
            assertThat(read.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED);
            assertThat(read).hasMessageContaining(choosing.getName());
            SkepException write =
                    catchThrowableOfType(SkepException.class, () -> tables.write(table, folder + "/x", List.of()));
            assertThat(write.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED);
        }
    }

    private static TableLayout lines(Class<?> inputFormat) {
        return FormatTables.table(
                new TableFormat(
                        inputFormat.getName(),
                        "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
                        "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
                        Map.of()),
                Map.of(),
                "a string");
    }
}
