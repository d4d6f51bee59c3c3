package io.skep.metastore.hive;

import static io.skep.metastore.hive.StorageConversion.orEmpty;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Database;
import io.skep.metastore.Function;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.DatabaseType;
import org.apache.hadoop.hive.metastore.api.FunctionType;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.apache.hadoop.hive.metastore.api.ResourceType;
import org.apache.hadoop.hive.metastore.api.ResourceUri;
import org.jspecify.annotations.NullUnmarked;

/** Converts databases, tables, partitions and functions between the catalog's records and the library's objects. */
@NullUnmarked
final class TableConversion {
    /** The metastore's catalog that Hive uses. */
    static final String CATALOG = "hive";

    static final String EXTERNAL = "EXTERNAL";

    private TableConversion() {}

    static Database fromThrift(org.apache.hadoop.hive.metastore.api.Database database) {
        return new Database(
                database.getName(),
                Optional.ofNullable(database.getDescription()),
                orEmpty(database.getLocationUri()),
                Optional.ofNullable(database.getManagedLocationUri()),
                orEmpty(database.getOwnerName()),
                database.getOwnerType() == PrincipalType.ROLE,
                StorageConversion.withoutNulls(database.getParameters()),
                remote(database));
    }

    private static Optional<Database.Remote> remote(org.apache.hadoop.hive.metastore.api.Database database) {
        return database.getType() == DatabaseType.REMOTE
                ? Optional.of(new Database.Remote(
                        orEmpty(database.getConnector_name()), orEmpty(database.getRemote_dbname())))
                : Optional.empty();
    }

    static void apply(Database database, org.apache.hadoop.hive.metastore.api.Database target) {
        target.setName(database.name());
        target.setCatalogName(CATALOG);
        target.setDescription(database.comment().orElse(null));
        target.setLocationUri(database.location());
        target.setManagedLocationUri(database.managedLocation().orElse(null));
        target.setOwnerName(StorageConversion.orNull(database.owner()));
        target.setOwnerType(database.ownerIsRole() ? PrincipalType.ROLE : PrincipalType.USER);
        target.setParameters(new HashMap<>(database.properties()));
        target.setType(database.remote().isPresent() ? DatabaseType.REMOTE : DatabaseType.NATIVE);
        target.setConnector_name(
                database.remote().map(Database.Remote::connector).orElse(null));
        target.setRemote_dbname(database.remote().map(Database.Remote::database).orElse(null));
    }

    static Table fromThrift(org.apache.hadoop.hive.metastore.api.Table table) {
        String name = table.getDbName() + "." + table.getTableName();
        return new Table(
                table.getId(),
                table.getDbName(),
                table.getTableName(),
                kind(table.getTableType(), name),
                orEmpty(table.getOwner()),
                table.getOwnerType() == PrincipalType.ROLE,
                table.getCreateTime(),
                table.getLastAccessTime(),
                StorageConversion.columns(table.getPartitionKeys(), name),
                StorageConversion.fromThrift(table.getSd(), name),
                StorageConversion.withoutNulls(table.getParameters()),
                Optional.ofNullable(table.getViewOriginalText()),
                Optional.ofNullable(table.getViewExpandedText()),
                MaterializationConversion.fromThrift(table));
    }

    private static Table.TableKind kind(String type, String name) {
        for (Table.TableKind kind : Table.TableKind.values()) {
            if (kind.name().equals(type)) {
                return kind;
            }
        }
        throw new SkepException(StandardErrorCode.NOT_SUPPORTED, name + " is of a kind that is not supported: " + type);
    }

    /** Copies the record's fields. The other fields of the library's object stay unchanged. */
    static void apply(Table table, org.apache.hadoop.hive.metastore.api.Table target) {
        target.setCatName(CATALOG);
        target.setDbName(table.database());
        target.setTableName(table.name());
        target.setTableType(table.kind().name());
        target.setOwner(StorageConversion.orNull(table.owner()));
        target.setOwnerType(table.ownerIsRole() ? PrincipalType.ROLE : PrincipalType.USER);
        target.setCreateTime(Math.toIntExact(table.createTime()));
        target.setLastAccessTime(Math.toIntExact(table.lastAccessTime()));
        target.setPartitionKeys(StorageConversion.toThrift(table.partitionKeys()));
        if (target.getSd() == null) {
            target.setSd(StorageConversion.empty());
        }
        StorageConversion.apply(table.storage(), target.getSd());
        target.setParameters(new HashMap<>(table.properties()));
        if (table.kind() == Table.TableKind.EXTERNAL_TABLE) {
            target.putToParameters(EXTERNAL, "TRUE");
        }
        target.setViewOriginalText(table.viewOriginalText().orElse(null));
        target.setViewExpandedText(table.viewExpandedText().orElse(null));
        table.materialization().ifPresent(view -> MaterializationConversion.apply(view, target));
    }

    static Partition fromThrift(org.apache.hadoop.hive.metastore.api.Partition partition) {
        return new Partition(
                partition.getValues(),
                partition.getCreateTime(),
                partition.getLastAccessTime(),
                StorageConversion.fromThrift(partition.getSd(), partition.getDbName() + "." + partition.getTableName()),
                StorageConversion.withoutNulls(partition.getParameters()));
    }

    static void apply(Partition partition, Table table, org.apache.hadoop.hive.metastore.api.Partition target) {
        target.setCatName(CATALOG);
        target.setDbName(table.database());
        target.setTableName(table.name());
        target.setValues(new ArrayList<>(partition.values()));
        target.setCreateTime(Math.toIntExact(partition.createTime()));
        target.setLastAccessTime(Math.toIntExact(partition.lastAccessTime()));
        if (target.getSd() == null) {
            target.setSd(StorageConversion.empty());
        }
        StorageConversion.apply(partition.storage(), target.getSd());
        target.setParameters(new HashMap<>(partition.properties()));
    }

    static Function fromThrift(org.apache.hadoop.hive.metastore.api.Function function) {
        List<String> resources = new ArrayList<>();
        for (ResourceUri resource : orEmpty(function.getResourceUris())) {
            resources.add(resource.getUri());
        }
        return new Function(
                function.getDbName(),
                function.getFunctionName(),
                function.getClassName(),
                orEmpty(function.getOwnerName()),
                function.getCreateTime(),
                resources);
    }

    static org.apache.hadoop.hive.metastore.api.Function toThrift(Function function) {
        var target = new org.apache.hadoop.hive.metastore.api.Function();
        target.setCatName(CATALOG);
        target.setDbName(function.database());
        target.setFunctionName(function.name());
        target.setClassName(function.className());
        target.setOwnerName(StorageConversion.orNull(function.owner()));
        target.setOwnerType(PrincipalType.USER);
        target.setCreateTime(Math.toIntExact(function.createTime()));
        target.setFunctionType(FunctionType.JAVA);
        List<ResourceUri> resources = new ArrayList<>();
        for (String uri : function.resources()) {
            resources.add(new ResourceUri(ResourceType.JAR, uri));
        }
        target.setResourceUris(resources);
        return target;
    }
}
