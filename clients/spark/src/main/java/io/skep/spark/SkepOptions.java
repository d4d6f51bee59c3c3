package io.skep.spark;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * How a server is reached. It stays in Spark's driver: tasks get tickets only.
 *
 * @param url of HiveServer2, as its JDBC driver reads it
 * @param driver the class of the JDBC driver
 * @param certificates file on each machine with the authorities that certify daemons and servers
 * @param partitions the largest number of partitions
 */
record SkepOptions(
        String url,
        Optional<String> user,
        Optional<String> password,
        String driver,
        Optional<String> certificates,
        OptionalInt partitions) {
    static final String URL = "url";
    static final String USER = "user";
    static final String PASSWORD = "password";
    static final String DRIVER = "driver";
    static final String CERTIFICATES = "certificates";
    static final String PARTITIONS = "numpartitions";
    static final String TABLE = "table";
    static final String QUERY = "query";

    private static final String HIVE_DRIVER = "org.apache.hive.jdbc.HiveDriver";
    private static final int MAX_PARTITIONS = 10_000;
    private static final Set<String> OF_CATALOGS = Set.of(URL, USER, PASSWORD, DRIVER, CERTIFICATES, PARTITIONS);
    private static final Set<String> OF_SOURCES =
            Set.of(URL, USER, PASSWORD, DRIVER, CERTIFICATES, PARTITIONS, TABLE, QUERY);
    private static final Set<String> OF_READS = Set.of(PARTITIONS);

    /**
     * Reads the options of a catalog.
     *
     * @throws IllegalArgumentException when one is missing, unknown or wrong
     */
    static SkepOptions ofCatalog(CaseInsensitiveStringMap options) {
        return of(options, OF_CATALOGS);
    }

    /** Reads the options of a source, those of {@link #source} among them. */
    static SkepOptions ofSource(CaseInsensitiveStringMap options) {
        return of(options, OF_SOURCES);
    }

    private static SkepOptions of(CaseInsensitiveStringMap options, Set<String> known) {
        refuseOthers(options, known);
        return new SkepOptions(
                given(options, URL)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "Skep: the option url is missing, such as jdbc:hive2://host:10000")),
                given(options, USER),
                given(options, PASSWORD),
                given(options, DRIVER).orElse(HIVE_DRIVER),
                given(options, CERTIFICATES),
                given(options, PARTITIONS).map(SkepOptions::count).orElse(OptionalInt.empty()));
    }

    private static void refuseOthers(CaseInsensitiveStringMap options, Set<String> known) {
        List<String> unknown = options.keySet().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("Skep has no option " + String.join(", ", unknown) + " here, but "
                    + known.stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    private static Optional<String> given(CaseInsensitiveStringMap options, String name) {
        return Optional.ofNullable(options.get(name)).filter(value -> !value.isEmpty());
    }

    private static OptionalInt count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1 && count <= MAX_PARTITIONS) {
                return OptionalInt.of(count);
            }
        } catch (NumberFormatException e) {
            // The same error.
        }
        throw new IllegalArgumentException(
                "Skep: the option numPartitions is '" + text + "', not a number from 1 to " + MAX_PARTITIONS);
    }

    /** Reads what is to be read. */
    static Source source(CaseInsensitiveStringMap options) {
        Optional<String> table = given(options, TABLE);
        Optional<String> query = given(options, QUERY);
        if (table.isPresent() == query.isPresent()) {
            throw new IllegalArgumentException("Skep: one of the options table and query must be there");
        }
        return table.<Source>map(name -> new Source.OfTable(TableName.parse(name)))
                .orElseGet(() -> new Source.OfQuery(query.orElseThrow()));
    }

    /**
     * Returns these options with those that one read of a table brings.
     *
     * @param ofSource whether they contain the options of a source, which are known already
     */
    SkepOptions with(CaseInsensitiveStringMap read, boolean ofSource) {
        refuseOthers(read, ofSource ? OF_SOURCES : OF_READS);
        return given(read, PARTITIONS)
                .map(count -> new SkepOptions(url, user, password, driver, certificates, count(count)))
                .orElse(this);
    }

    /** Without the URL, which may contain secrets, and without the password. */
    @Override
    public String toString() {
        return "SkepOptions[" + user.orElse("") + "]";
    }
}
