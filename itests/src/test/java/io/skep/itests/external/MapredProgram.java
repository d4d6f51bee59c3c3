package io.skep.itests.external;

import io.skep.llap.client.LlapArrowInputFormat;
import io.skep.llap.client.LlapInputFormat;
import io.skep.mapred.ArrowBatch;
import io.skep.mapred.LlapRow;
import io.skep.mapred.LlapSplit;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.llap.LlapBaseInputFormat;
import org.apache.hadoop.hive.llap.LlapRowInputFormat;
import org.apache.hadoop.hive.llap.Row;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.Nullable;

/**
 * A program of Hadoop that reads queries and prints their rows. Each line of its input is a job, with tabs between: the
 * input format, the number of splits, after how many rows it waits for a line of input (-1 for never), and settings as
 * name=value. What it prints about a job ends with a line "end".
 */
final class MapredProgram {
    private final BufferedReader in;
    private final PrintStream out;
    private long untilPause;

    private MapredProgram(BufferedReader in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        new MapredProgram(
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                        new PrintStream(System.out, false, StandardCharsets.UTF_8))
                .runAll();
    }

    private void runAll() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            List<String> fields = List.of(line.split("\t", -1));
            JobConf job = new JobConf();
            for (String setting : fields.subList(3, fields.size())) {
                int equals = setting.indexOf('=');
                job.set(setting.substring(0, equals), setting.substring(equals + 1));
            }
            untilPause = Long.parseLong(fields.get(2));
            try {
                run(fields.get(0), job, Integer.parseInt(fields.get(1)));
            } catch (IOException e) {
                out.println("IOException: " + e.getMessage());
            }
            out.println("end");
            out.flush();
        }
    }

    private void run(String format, JobConf job, int count) throws IOException {
        switch (format) {
            case "rows" -> read(new LlapInputFormat(), job, count);
            case "arrow" -> read(new LlapArrowInputFormat(), job, count);
            case "hive" -> read(new LlapRowInputFormat(), job, count);
            case "hive-base" -> read(new LlapBaseInputFormat<Row>(), job, count);
            case "hive-arrow" -> read(new LlapBaseInputFormat<ArrowBatch>(true, 64L << 20), job, count);
            default -> throw new IllegalArgumentException(format);
        }
    }

    private <V> void read(InputFormat<NullWritable, V> format, JobConf job, int count) throws IOException {
        InputSplit[] splits = format.getSplits(job, count);
        out.println("splits " + splits.length);
        for (InputSplit split : splits) {
            LlapSplit copy = copy((LlapSplit) split);
            if (count == 0) {
                out.println(copy.schema());
                continue;
            }
            out.println("hosts " + List.of(copy.getLocations()));
            RecordReader<NullWritable, V> reader = format.getRecordReader(copy, job, Reporter.NULL);
            try {
                V value = reader.createValue();
                while (reader.next(reader.createKey(), value)) {
                    print(value);
                    pause();
                }
            } finally {
                reader.close();
            }
        }
    }

    /** As a task gets it. */
    private static LlapSplit copy(LlapSplit split) throws IOException {
        DataOutputBuffer written = new DataOutputBuffer();
        split.write(written);
        DataInputBuffer read = new DataInputBuffer();
        read.reset(written.getData(), written.getLength());
        LlapSplit copy = new LlapSplit();
        copy.readFields(new DataInputStream(read));
        return copy;
    }

    private void print(Object value) throws IOException {
        if (value instanceof ArrowBatch batch) {
            out.println("batch " + batch.rowCount());
            return;
        }
        LlapRow row = (LlapRow) value;
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.schema().names().size(); i++) {
            values.add(text(row.value(i)));
        }
        out.println("row " + String.join("\t", values));
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case BigDecimal decimal -> decimal.toPlainString();
            default -> value.toString();
        };
    }

    private void pause() throws IOException {
        untilPause--;
        if (untilPause == 0) {
            out.println("paused");
            out.flush();
            if (in.readLine() == null) {
                throw new IOException("the test has ended");
            }
        }
    }
}
