package io.skep.itests.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements of Spark SQL, one a line, and prints their rows, with tabs between the values, and then a line with a
 * dot, or an error in a line that begins with an exclamation mark. {@code read VIEW} with options after it, all with
 * tabs between them, makes a view of the data source skep; {@code write MODE} with options and a query writes the rows
 * of the query. The function fail_once fails in the first attempt of a task. Arguments are settings of Spark.
 */
public final class SparkMain {
    private final SparkSession spark;
    private final PrintStream out;

    private SparkMain(SparkSession spark, PrintStream out) {
        this.spark = spark;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[2,2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2");
        for (String argument : arguments) {
            int end = argument.indexOf('=');
            builder.config(argument.substring(0, end), argument.substring(end + 1));
        }
        try (SparkSession spark = builder.getOrCreate()) {
            spark.udf().register("fail_once", (UDF2<Long, Long, Long>) SparkMain::failOnce, DataTypes.LongType);
            out.println("ready");
            new SparkMain(spark, out)
                    .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        }
    }

    private static Long failOnce(Long value, Long wrong) {
        if (value.equals(wrong) && TaskContext.get().attemptNumber() == 0) {
            throw new IllegalStateException("the first attempt fails");
        }
        return value;
    }

    private void serve(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                answers(line).forEach(out::println);
                out.println(".");
            } catch (Exception e) {
                out.println("! " + oneLine(message(e)));
            }
        }
    }

    private static String message(Throwable error) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = error; each != null; each = each.getCause()) {
            text.append(text.isEmpty() ? "" : " <- ").append(each);
        }
        return text.toString();
    }

    private List<String> answers(String line) {
        if (line.startsWith("read ")) {
            String[] parts = line.substring("read ".length()).split("\t");
            spark.read().format("skep").options(options(parts)).load().createOrReplaceTempView(parts[0]);
            return List.of();
        }
        if (line.startsWith("write ")) {
            String[] parts = line.substring("write ".length()).split("\t");
            String[] given = Arrays.copyOf(parts, parts.length - 1);
            spark.sql(parts[parts.length - 1])
                    .write()
                    .format("skep")
                    .options(options(given))
                    .mode(parts[0])
                    .save();
            return List.of();
        }
        Dataset<Row> rows = spark.sql(line);
        List<String> texts = new ArrayList<>();
        for (Row row : rows.collectAsList()) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                values.add(oneLine(text(row.get(i))));
            }
            texts.add(String.join("\t", values));
        }
        return texts;
    }

    private static Map<String, String> options(String[] parts) {
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int end = parts[i].indexOf('=');
            options.put(parts[i].substring(0, end), parts[i].substring(end + 1));
        }
        return options;
    }

    /** Returns a value as JDBC's getString does. */
    private static String text(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return value instanceof BigDecimal number ? number.toPlainString() : String.valueOf(value);
    }

    private static String oneLine(String text) {
        return text.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }
}
