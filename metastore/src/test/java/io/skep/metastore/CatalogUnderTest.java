package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.database;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** A catalog that a contract is tested on, and the parts that its tests share. */
interface CatalogUnderTest {
    Catalog catalog();

    /** Returns the warehouse's folder. */
    Path warehouse();

    /** Removes everything except the default database. */
    void clear();

    /** Creates an empty database {@code db} for each test. */
    @BeforeEach
    default void start() {
        clear();
        catalog().createDatabase(database("db", ""));
    }

    static void fails(StandardErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    default Table create(Table table) {
        catalog().createTable(table);
        return catalog().table(table.database(), table.name()).orElseThrow();
    }

    static Path path(String location) {
        return Path.of(location.substring("file:".length()));
    }

    static Path write(String location, String file, String text) throws IOException {
        Files.createDirectories(path(location));
        return Files.writeString(path(location).resolve(file), text);
    }

    static ColumnStatistics longs(String column, long nulls, long distinct, long low, long high) {
        return ColumnStatistics.of(column, nulls, distinct).withBounds(new Datum.OfLong(low), new Datum.OfLong(high));
    }
}
