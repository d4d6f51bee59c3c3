package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Function;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;

/** Reads and writes permanent functions. */
@NullUnmarked
final class HiveFunctions {
    private final StorePool stores;
    private final NotificationLog log;

    HiveFunctions(StorePool stores, NotificationLog log) {
        this.stores = stores;
        this.log = log;
    }

    List<Function> all() {
        return stores.read("list the functions", store -> store.getAllFunctions(CATALOG)).stream()
                .map(TableConversion::fromThrift)
                .toList();
    }

    Optional<Function> get(String database, String name) {
        return stores.read(
                "read function " + database + "." + name,
                store -> Optional.ofNullable(store.getFunction(CATALOG, database, name))
                        .map(TableConversion::fromThrift));
    }

    void create(Function function) {
        String name = function.database() + "." + function.name();
        stores.write("create function " + name, store -> {
            if (store.getFunction(CATALOG, function.database(), function.name()) != null) {
                throw new SkepException(StandardErrorCode.FUNCTION_EXISTS, "function '" + name + "' exists already");
            }
            var target = TableConversion.toThrift(function);
            if (target.getCreateTime() == 0) {
                target.setCreateTime(Math.toIntExact(System.currentTimeMillis() / 1000));
            }
            store.createFunction(target);
            log.createdFunction(store, target);
            return true;
        });
    }

    void drop(String database, String name) {
        stores.write("drop function " + database + "." + name, store -> {
            var target = store.getFunction(CATALOG, database, name);
            if (target == null) {
                throw new SkepException(
                        StandardErrorCode.FUNCTION_NOT_FOUND,
                        "function '" + database + "." + name + "' does not exist");
            }
            store.dropFunction(CATALOG, database, name);
            log.droppedFunction(store, target);
            return true;
        });
    }
}
