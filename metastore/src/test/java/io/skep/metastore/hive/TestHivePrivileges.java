package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.RoleGrant;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.metastore.RawStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that start at the same time on one database. */
final class TestHivePrivileges {
    private final AtomicInteger interruptions = new AtomicInteger();

    @Test
    void anotherServerAddsTheRolesMeanwhile(@TempDir Path folder) {
        assertAdmins(folder, "addRole", List.of());
    }

    @Test
    void anotherServerAddsTheAdminMeanwhile(@TempDir Path folder) {
        assertAdmins(folder, "grantRole", List.of("root"));
    }

    /** @param admins those that the metastore has before */
    private void assertAdmins(Path folder, String method, List<String> admins) {
        try (DerbyStores database = new DerbyStores(folder.resolve("metastore"), (_, _) -> {})) {
            StorePool pool = database.pool();
            HivePrivileges privileges = new HivePrivileges(pool);
            if (!admins.isEmpty()) {
                privileges.createDefaults(admins);
            }
            pool.write(
                    "make the roles admin and public",
                    store -> HivePrivileges.createDefaults(
                            before(method, store, () -> privileges.createDefaults(List.of("ann"))), List.of("ann")));
            assertThat(interruptions).hasValue(1);
            assertThat(privileges.roles()).containsExactly("admin", "public");
            assertThat(privileges.members("admin"))
                    .extracting(RoleGrant::member)
                    .contains(Principal.user("ann"))
                    .hasSize(admins.size() + 1);
        }
    }

    /** Returns a store whose method runs after some other work, when it is called for the first time. */
    private RawStore before(String method, RawStore store, Runnable work) {
        return (RawStore) Proxy.newProxyInstance(
                RawStore.class.getClassLoader(), new Class<?>[] {RawStore.class}, (_, called, arguments) -> {
                    if (called.getName().equals(method) && interruptions.compareAndSet(0, 1)) {
                        work.run();
                    }
                    try {
                        return called.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
