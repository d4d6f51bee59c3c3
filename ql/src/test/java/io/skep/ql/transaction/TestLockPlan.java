package io.skep.ql.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.config.KnownSettings;
import io.skep.metastore.transaction.LockComponent;
import io.skep.ql.session.SessionSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;
import org.apache.hadoop.hive.ql.Context;
import org.apache.hadoop.hive.ql.hooks.ReadEntity;
import org.apache.hadoop.hive.ql.hooks.WriteEntity;
import org.apache.hadoop.hive.ql.hooks.WriteEntity.WriteType;
import org.apache.hadoop.hive.ql.io.AcidUtils;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the locks with those that Hive's own class makes for the same use of a table. */
final class TestLockPlan {
    @ParameterizedTest
    @CsvSource({
        "INSERT, INSERT",
        "OVERWRITE, INSERT_OVERWRITE",
        "UPDATE, UPDATE",
        "DELETE, DELETE",
        "DEFINE_SHARED, DDL_SHARED",
        "DEFINE_ALONE, DDL_EXCL_WRITE",
        "DEFINE_EXCLUSIVE, DDL_EXCLUSIVE"
    })
    void writersLockAsInHive(TableAccess access, WriteType type) {
        for (String exclusive : List.of("true", "false")) {
            for (String overwrites : List.of("true", "false")) {
                Map<String, String> settings = Map.of(
                        ConfVars.TXN_WRITE_X_LOCK.varname,
                        exclusive,
                        ConfVars.TXN_OVERWRITE_X_LOCK.varname,
                        overwrites);
                WriteEntity entity = new WriteEntity(hiveTable(), type);
                assertThat(planned(access, settings))
                        .as("%s with %s", access, settings)
                        .isEqualTo(hives(Set.of(entity), Set.of(), settings));
            }
        }
    }

    @ParameterizedTest
    @CsvSource("READ")
    void readersLockAsInHive(TableAccess access) {
        ReadEntity entity = new ReadEntity(hiveTable());
        assertThat(planned(access, Map.of())).isEqualTo(hives(Set.of(), Set.of(entity), Map.of()));
    }

    private static Table hiveTable() {
        Table table = new Table("db", "t");
        table.setProperty("transactional", "true");
        return table;
    }

    private static String planned(TableAccess access, Map<String, String> settings) {
        TransactionSettings session = TransactionSettings.of(new SessionSettings(KnownSettings.NONE, settings));
        LockComponent lock = LockPlan.of(List.of(TableUse.of(TransactionalTable.named("t"), access)), session)
                .getFirst();
        return lock.kind() + " " + lock.operation() + " " + lock.database() + "."
                + lock.table().orElseThrow() + " " + lock.isTransactional();
    }

    private static String hives(Set<WriteEntity> outputs, Set<ReadEntity> inputs, Map<String, String> settings) {
        HiveConf conf = new HiveConf();
        settings.forEach(conf::set);
        var locks = AcidUtils.makeLockComponents(
                new HashSet<>(outputs), new HashSet<>(inputs), Context.Operation.OTHER, conf);
        assertThat(locks).hasSize(1);
        var lock = locks.getFirst();
        return lock.getType() + " " + lock.getOperationType() + " " + lock.getDbname() + "." + lock.getTablename() + " "
                + lock.isIsTransactional();
    }
}
