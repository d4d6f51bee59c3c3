package io.skep.storage.format;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A file format: its name, how its files are recognized and split, and what reads and writes them. There is one object
 * for each format, without state. A format is looked up when a query is planned or a file is opened, never per row.
 */
public interface FileFormat {
    /** Returns how statements name the format, or empty if STORED AS cannot name it. */
    Optional<StoredAs> storedAs();

    /** Whether a table's files are of this format, unless a format before this one in the list applies. */
    boolean matches(TableFormat format);

    /** Returns the first bytes of each file, as ISO 8859-1, if LOAD DATA checks them. */
    default Optional<String> magic() {
        return Optional.empty();
    }

    /** Whether LOAD DATA accepts only files that begin with {@link #magic} for tables with an input format. */
    default boolean checkedOnLoad(String inputFormat) {
        return false;
    }

    /** Whether files name their columns, so that a table's columns are found by name, otherwise by position. */
    default boolean selfDescribing() {
        return false;
    }

    /**
     * Returns the column with the offset of each row in the file, if its readers have one. It may be added behind a
     * split's columns. Its name has capitals, as no column of a table has.
     */
    default Optional<Column> offsets() {
        return Optional.empty();
    }

    /** Returns which files may be read in several splits. */
    Splitting splitting();

    /** Returns on which of a table's properties it depends how files are read. */
    LayoutProperties layoutProperties(TableFormat format);

    /**
     * Returns the settings of sessions and sites on which it depends how files are read that do not tell it themselves.
     * A split has them among the properties of its format if they are set, so that the cache tells the values apart.
     */
    default List<String> readerSettings() {
        return List.of();
    }

    /** Returns how the names of those table properties begin that only this format's writer uses. */
    default List<String> writerProperties() {
        return List.of();
    }

    /**
     * Whether a column is decoded the same way whatever the other columns are. A cached column then stays valid when
     * others change.
     */
    boolean decodesColumnsAlone(TableFormat format);

    /**
     * Opens the file of a split.
     *
     * @param zone the server's time zone, for instants in text
     * @param blocks shared by readers of the same file
     */
    RowGroupReader open(HadoopFileSystem files, ZoneId zone, Split split, BlockStore blocks);

    /**
     * Creates a file.
     *
     * @param zone the server's time zone, for instants in text
     * @param path must not exist yet; its folder is created
     */
    PageSink create(HadoopFileSystem files, ZoneId zone, TableLayout table, String path);

    /**
     * Creates a file of a transactional table with row identifiers.
     *
     * @param path must not exist yet; its folder is created
     * @param bucket the bucket, or the number of the writer in a table without buckets
     */
    default PageSink create(HadoopFileSystem files, TableLayout table, String path, AcidWrite write, int bucket) {
        throw withoutRowIds(table);
    }

    /**
     * Creates a file of a transactional table whose rows come with their identifiers.
     *
     * @param path must not exist yet; its folder is created
     * @param deletes whether the rows are delete events
     */
    default PageSink createMerged(HadoopFileSystem files, TableLayout table, String path, boolean deletes) {
        throw withoutRowIds(table);
    }

    private static SkepException withoutRowIds(TableLayout table) {
        return new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "rows of table " + table.name() + " cannot be updated or deleted, because its files are not"
                                + " ORC files")
                .withHint("store the table as ORC, or set transactional_properties to insert_only");
    }

    /** Returns the approximate heap that a file takes from its creation to the first rows, where that is much. */
    default long firstBytes(int columns) {
        return 0;
    }
}
