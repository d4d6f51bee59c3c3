package io.skep.metastore;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A table or view. Times are seconds since 1970.
 *
 * @param id distinguishes the table from an earlier or later table of the same name, also after a RENAME;
 *     {@link #NO_ID} before it is in the catalog, and for tables that are never in it
 * @param owner a user, or a role if ownerIsRole is set
 * @param viewOriginalText the user's text after AS, for views
 * @param viewExpandedText the same text with all names resolved
 * @param materialization how a materialized view was filled
 */
public record Table(
        long id,
        String database,
        String name,
        TableKind kind,
        String owner,
        boolean ownerIsRole,
        long createTime,
        long lastAccessTime,
        List<FieldSchema> partitionKeys,
        StorageDescriptor storage,
        Map<String, String> properties,
        Optional<String> viewOriginalText,
        Optional<String> viewExpandedText,
        Optional<Materialization> materialization) {
    public static final long NO_ID = 0;

    /** The id of tables that the server makes up ({@link io.skep.metastore.system}). No table in a metastore has it. */
    public static final long SYSTEM_ID = -1;

    /** The property that names the storage handler of a table whose rows another system keeps. */
    public static final String STORAGE_HANDLER = "storage_handler";

    public enum TableKind {
        MANAGED_TABLE,
        EXTERNAL_TABLE,
        VIRTUAL_VIEW,
        MATERIALIZED_VIEW
    }

    public Table {
        partitionKeys = List.copyOf(partitionKeys);
        properties = Map.copyOf(properties);
    }

    /**
     * Whether its files are deleted with it. Files of views, and of external tables without external.table.purge, are
     * not.
     */
    public boolean ownsFiles() {
        return switch (kind) {
            case MANAGED_TABLE, MATERIALIZED_VIEW -> true;
            case EXTERNAL_TABLE -> "true".equalsIgnoreCase(properties.get("external.table.purge"));
            case VIRTUAL_VIEW -> false;
        };
    }

    /** Returns a table as a materialized view of a query. */
    public Table asMaterializedView(String originalText, String expandedText, Materialization filled) {
        return new Table(
                id,
                database,
                name,
                TableKind.MATERIALIZED_VIEW,
                owner,
                ownerIsRole,
                createTime,
                lastAccessTime,
                partitionKeys,
                storage,
                properties,
                Optional.of(originalText),
                Optional.of(expandedText),
                Optional.of(filled));
    }

    /** Returns the same materialized view, filled in another way. */
    public Table withMaterialization(Materialization filled) {
        return with(storage, properties, Optional.of(filled));
    }

    /** Returns the same table with other properties. */
    public Table withProperties(Map<String, String> changed) {
        return with(storage, changed, materialization);
    }

    /** Returns the same table with another storage descriptor. */
    public Table withStorage(StorageDescriptor changed) {
        return with(changed, properties, materialization);
    }

    /** Returns the same table as one of another kind. */
    public Table withKind(TableKind other) {
        return new Table(
                id,
                database,
                name,
                other,
                owner,
                ownerIsRole,
                createTime,
                lastAccessTime,
                partitionKeys,
                storage,
                properties,
                viewOriginalText,
                viewExpandedText,
                materialization);
    }

    private Table with(
            StorageDescriptor otherStorage, Map<String, String> otherProperties, Optional<Materialization> filled) {
        return new Table(
                id,
                database,
                name,
                kind,
                owner,
                ownerIsRole,
                createTime,
                lastAccessTime,
                partitionKeys,
                otherStorage,
                otherProperties,
                viewOriginalText,
                viewExpandedText,
                filled);
    }

    public List<FieldSchema> columns() {
        return storage.columns();
    }

    /** Returns the columns, followed by the partition columns. */
    public List<FieldSchema> allColumns() {
        return Stream.concat(columns().stream(), partitionKeys.stream()).toList();
    }

    /** Whether the server makes up the table. Its rows are read from the metastore's database, and it never changes. */
    public boolean isSystem() {
        return id == SYSTEM_ID;
    }

    /** Returns the class of the storage handler through which the rows are read, if another system keeps them. */
    public Optional<String> storageHandler() {
        return Optional.ofNullable(properties.get(STORAGE_HANDLER)).filter(name -> !name.isBlank());
    }

    /** Whether the rows are in files at the table's location. */
    public boolean hasFiles() {
        return !isSystem() && storageHandler().isEmpty();
    }

    /** Whether the table has Hive's ACID layout: its files are in base and delta folders, under write ids. */
    public boolean isTransactional() {
        return "true".equalsIgnoreCase(properties.get("transactional"));
    }

    /** Whether the table is transactional, but its rows have no identifiers and are never updated or deleted. */
    public boolean isInsertOnly() {
        return isTransactional() && "insert_only".equalsIgnoreCase(properties.get("transactional_properties"));
    }

    public String qualifiedName() {
        return database + "." + name;
    }
}
