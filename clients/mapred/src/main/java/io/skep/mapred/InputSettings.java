package io.skep.mapred;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * What a job's configuration says about its input. The names are those of Hive's LlapBaseInputFormat.
 *
 * @param url of the server: a JDBC URL, or {@code grpc+tcp://host:port} and {@code grpc+tls://host:port} of Flight SQL
 * @param user empty for that of the address
 * @param database the current database; empty for that of the URL
 * @param sessionQueries SET commands that precede the query
 * @param trust PEM file with the authorities that certify daemons; empty for those of the JVM
 */
public record InputSettings(
        String url,
        String query,
        String user,
        String password,
        String database,
        List<String> sessionQueries,
        Optional<Path> trust) {
    public static final String URL = "llap.if.hs2.connection";
    public static final String QUERY = "llap.if.query";
    public static final String USER = "llap.if.user";

    /** Also looked up in Hadoop's credential providers. */
    public static final String PASSWORD = "llap.if.pwd";

    public static final String DATABASE = "llap.if.database";
    public static final String SESSION_QUERIES = "llap.session.queries.for.get.num.splits";
    public static final String NEW_SPLIT_FORMAT = "llap.if.use.new.split.format";

    /** Skep's own. */
    public static final String TRUST = "skep.reader.trust-file";

    private static final Pattern SET = Pattern.compile("(?is)\\s*set\\s+.*=.+");

    public InputSettings {
        sessionQueries = List.copyOf(sessionQueries);
    }

    /** Without the password, which the URL may have too. */
    @Override
    public String toString() {
        return "InputSettings[" + query + "]";
    }

    /** @throws IOException when a setting is missing or cannot be followed; it names the setting */
    public static InputSettings of(Configuration job) throws IOException {
        if (job.getBoolean(NEW_SPLIT_FORMAT, false)) {
            throw new IOException(NEW_SPLIT_FORMAT + "=true is not supported: each split has its schema");
        }
        return new InputSettings(
                required(job, URL),
                required(job, QUERY),
                job.get(USER, ""),
                password(job),
                job.get(DATABASE, ""),
                sessionQueries(job),
                trust(job));
    }

    /** Returns the authorities that certify daemons, for readers of splits, which need nothing else. */
    static Optional<Path> trust(Configuration job) {
        return Optional.ofNullable(job.get(TRUST))
                .filter(file -> !file.isEmpty())
                .map(Path::of);
    }

    private static String required(Configuration job, String name) throws IOException {
        String value = job.get(name);
        if (value == null || value.isBlank()) {
            throw new IOException(name + " is not set");
        }
        return value;
    }

    private static String password(Configuration job) throws IOException {
        char[] password = job.getPassword(PASSWORD);
        return password == null ? "" : new String(password);
    }

    private static List<String> sessionQueries(Configuration job) throws IOException {
        List<String> queries = Arrays.stream(job.get(SESSION_QUERIES, "").split(",", -1))
                .filter(query -> !query.isBlank())
                .map(String::strip)
                .toList();
        for (String query : queries) {
            if (!SET.matcher(query).matches()) {
                throw new IOException(SESSION_QUERIES + " takes SET name=value only, not '" + query + "'");
            }
        }
        return queries;
    }
}
