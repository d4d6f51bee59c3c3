package io.skep.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The report data set: 13 months of daily partitions of an advertising system's metrics. Account sizes follow Zipf's
 * law, and rows are sorted by account. It is created month by month: first as text files, then as ORC through SQL.
 */
final class ReportData {
    static final int ACCOUNTS = 200_000;
    static final YearMonth FIRST_MONTH = YearMonth.of(2025, 10);
    static final int MONTHS = 13;

    /** Reads the whole table. */
    static final String WHOLE = "SELECT sum(account), sum(campaign), sum(adgroup), sum(keyword), sum(length(device)),"
            + " sum(total_imps), sum(total_click), sum(total_cost) FROM report";

    private static final double EXPONENT = 0.8;
    private static final String[] DEVICES = {"pc", "phone", "tablet"};
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT);

    private final long rows;
    private final Zipf accounts = new Zipf(ACCOUNTS, EXPONENT);
    private final SplittableRandom random = new SplittableRandom(20251001);

    ReportData(long rows) {
        this.rows = rows;
    }

    static int days() {
        return (int) (FIRST_MONTH.plusMonths(MONTHS).atDay(1).toEpochDay()
                - FIRST_MONTH.atDay(1).toEpochDay());
    }

    static String day(int index) {
        return DAY.format(FIRST_MONTH.atDay(1).plusDays(index));
    }

    /** Creates the table {@code report}. */
    void load(Connection connection, Path scratch, Progress progress) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS report");
            statement.execute("CREATE TABLE report (account BIGINT, campaign BIGINT, adgroup BIGINT, keyword BIGINT,"
                    + " device STRING, total_imps BIGINT, total_click BIGINT, total_cost DECIMAL(18,4))"
                    + " PARTITIONED BY (yyyymmdd INT) STORED AS ORC");
            statement.execute("SET hive.exec.dynamic.partition.mode=nonstrict");
            for (int month = 0; month < MONTHS; month++) {
                progress.step("report data", month, MONTHS);
                loadMonth(statement, FIRST_MONTH.plusMonths(month), scratch.resolve("report-" + month));
            }
            progress.step("report data", MONTHS, MONTHS);
            statement.execute("ANALYZE TABLE report PARTITION (yyyymmdd) COMPUTE STATISTICS");
        }
    }

    private void loadMonth(Statement statement, YearMonth month, Path folder) throws SQLException, IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("rows.txt");
        write(file, month);
        statement.execute("DROP TABLE IF EXISTS report_text");
        statement.execute("CREATE EXTERNAL TABLE report_text (account BIGINT, campaign BIGINT, adgroup BIGINT,"
                + " keyword BIGINT, device STRING, total_imps BIGINT, total_click BIGINT, total_cost DECIMAL(18,4),"
                + " yyyymmdd INT) ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:"
                + folder + "'");
        statement.execute("INSERT INTO TABLE report PARTITION (yyyymmdd) SELECT * FROM report_text"
                + " DISTRIBUTE BY yyyymmdd SORT BY yyyymmdd, account");
        statement.execute("DROP TABLE report_text");
        Files.delete(file);
        Files.delete(folder);
    }

    private void write(Path file, YearMonth month) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int day = 1; day <= month.lengthOfMonth(); day++) {
                writeDay(out, month.atDay(day));
            }
        }
    }

    private void writeDay(BufferedWriter out, LocalDate day) throws IOException {
        int count = (int) (rows / days());
        int[] drawn = new int[count];
        for (int i = 0; i < count; i++) {
            drawn[i] = accounts.next(random);
        }
        Arrays.sort(drawn);
        StringBuilder line = new StringBuilder();
        for (int account : drawn) {
            line.setLength(0);
            long campaign = account * 10L + random.nextInt(10);
            long adgroup = campaign * 10 + random.nextInt(10);
            int impressions = 1 + random.nextInt(1000);
            int clicks = random.nextInt(1 + impressions / 20);
            line.append(account)
                    .append('|')
                    .append(campaign)
                    .append('|')
                    .append(adgroup)
                    .append('|');
            line.append(adgroup * 100 + random.nextInt(100)).append('|');
            line.append(DEVICES[random.nextInt(DEVICES.length)])
                    .append('|')
                    .append(impressions)
                    .append('|');
            line.append(clicks)
                    .append('|')
                    .append(clicks * (long) random.nextInt(200))
                    .append('.');
            line.append(1000 + random.nextInt(9000))
                    .append('|')
                    .append(DAY.format(day))
                    .append('\n');
            out.append(line);
        }
    }
}
