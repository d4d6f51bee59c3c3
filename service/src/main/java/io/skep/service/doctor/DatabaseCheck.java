package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DatabaseState;
import java.util.ArrayList;
import java.util.List;

/** Checks whether the metastore's database responds and has a schema that the server supports. */
record DatabaseCheck(MetastoreConfig metastore) implements Check {
    @Override
    public String part() {
        return "metastore";
    }

    @Override
    public List<Finding> run() {
        if (metastore.connectionUrl().isEmpty()) {
            return List.of(Finding.note(part(), "an embedded database in the data folder, for one server"));
        }
        DatabaseState state;
        try {
            state = DatabaseState.of(metastore.connectionUrl().get(), metastore.user(), metastore.password());
        } catch (SkepException e) {
            return List.of(Finding.failure(
                    part(),
                    e,
                    "see that the database is up, and that javax.jdo.option.ConnectionURL, ConnectionUserName and"
                            + " ConnectionPassword are right"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(judge(state));
        state.clock()
                .flatMap(clock -> Clocks.compare(part(), clock.before(), clock.databases(), clock.after()))
                .ifPresent(findings::add);
        return findings;
    }

    private Finding judge(DatabaseState state) {
        String product = state.product() + ", answers in " + state.roundTrip().toMillis() + " ms";
        if (state.schemaVersion().isEmpty()) {
            return state.makesSchema()
                    ? Finding.note(part(), product + ", has no schema yet; the first start makes it")
                    : Finding.failure(
                            part(), product + ", has no schema", "make it with Hive's schematool -initSchema");
        }
        String version = state.schemaVersion().get();
        return state.isSupported()
                ? Finding.ok(part(), product + ", schema " + version)
                : Finding.failure(
                        part(),
                        product + ", schema " + version + ", a server works on " + DatabaseState.SCHEMA_VERSION,
                        "upgrade the schema with Hive's schematool -upgradeSchema");
    }
}
