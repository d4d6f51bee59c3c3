package io.skep.metastore.hive;

import io.skep.metastore.Catalog;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hive.metastore.IMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.Nullable;

/**
 * The client of the metastore that plug-ins of Hive's interfaces get. It reads databases and tables from the server's
 * catalog, in the catalog of Hive. Other calls are refused with their name.
 */
public final class CatalogClient implements InvocationHandler {
    private final Catalog catalog;

    private CatalogClient(Catalog catalog) {
        this.catalog = catalog;
    }

    public static IMetaStoreClient of(Catalog catalog) {
        CatalogClient client = new CatalogClient(catalog);
        return (IMetaStoreClient) Proxy.newProxyInstance(
                CatalogClient.class.getClassLoader(), new Class<?>[] {IMetaStoreClient.class}, client);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
            throws NoSuchObjectException {
        List<String> names = names(arguments);
        String call = method.getName() + "/" + names.size();
        return switch (call) {
            case "getAllDatabases/0" -> catalog.databases();
            case "getAllTables/1" -> catalog.tables(names.getFirst());
            case "getDatabase/1" -> database(names.getFirst());
            case "getTable/2" -> table(names.getFirst(), names.getLast());
            case "tableExists/2" ->
                catalog.table(names.getFirst(), names.getLast()).isPresent();
            case "toString/0" -> "the server's catalog";
            case "hashCode/0" -> hashCode();
            case "equals/1" -> arguments != null && isThis(arguments[0]);
            // The catalog is the server's.
            case "close/0" -> null;
            default ->
                throw new UnsupportedOperationException(
                        "the server has no metastore client with " + method.getName() + " for plug-ins");
        };
    }

    private boolean isThis(@Nullable Object other) {
        return other != null
                && Proxy.isProxyClass(other.getClass())
                && Proxy.getInvocationHandler(other).equals(this);
    }

    /** Returns names of a database and a table, in lower case. Calls with other arguments are not known. */
    private static List<String> names(Object @Nullable [] arguments) {
        Object[] given = arguments == null ? new Object[0] : arguments;
        return Arrays.stream(given)
                .map(argument -> String.valueOf(argument).toLowerCase(Locale.ROOT))
                .toList();
    }

    private Database database(String name) throws NoSuchObjectException {
        Database target = new Database();
        TableConversion.apply(
                catalog.database(name).orElseThrow(() -> new NoSuchObjectException("database " + name)), target);
        return target;
    }

    private Table table(String database, String name) throws NoSuchObjectException {
        Table target = new Table();
        TableConversion.apply(
                catalog.table(database, name)
                        .orElseThrow(() -> new NoSuchObjectException("table " + database + "." + name)),
                target);
        return target;
    }
}
