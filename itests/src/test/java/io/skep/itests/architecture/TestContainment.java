package io.skep.itests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that each library is used only in the packages that exist for it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestContainment {
    private final JavaClasses skep = SkepClasses.load();

    @ParameterizedTest(name = "{0} only in {1}")
    @CsvSource({
        "org.apache.calcite.., io.skep.ql..",
        "io.skep.hive.antlr.., io.skep.ql..",
        "org.apache.hadoop.hive.ql.session.., io.skep.engine.function.hive..|io.skep.ql.authorize..",
        "org.apache.hadoop.hive.ql.security.., io.skep.ql.authorize..|io.skep.ql.grant..",
        "org.apache.thrift.., io.skep.service.wire..|io.skep.bench.rpc..|io.skep.metastore.service..|"
                + "io.skep.metastore.hive..",
        "org.apache.hive.service.rpc.., io.skep.service.wire..",
        "org.apache.hadoop.hive.metastore.., io.skep.metastore..|io.skep.ql.authorize..",
        "org.datanucleus.., io.skep.metastore..",
        "com.zaxxer.., io.skep.metastore..",
        "org.springframework.., io.skep.metastore..",
        "org.apache.hadoop.yarn.., io.skep.llap.client.yarn..|io.skep.llap.server.yarn..|io.skep.tez..",
        "org.apache.tez.., io.skep.tez..",
        "com.google.protobuf.., io.skep.engine.plan.codec..|io.skep.llap.client.wire..|io.skep.storage.orc..|"
                + "io.skep.llap.client.external..|io.skep.reader..|io.skep.service.flight..",
        "io.grpc.., io.skep.llap.client.rpc..|io.skep.llap.server.rpc..|"
                + "io.skep.reader..|io.skep.llap.server.external..|io.skep.service.flight..",
        "org.apache.arrow..,"
                + " io.skep.reader..|io.skep.mapred..|io.skep.pig..|"
                + "io.skep.llap.server.arrow..|io.skep.llap.server.external..|"
                + "io.skep.service.flight..",
        "sun.misc.., io.skep.memory..",
        "org.apache.pig.., io.skep.pig..",
        "org.joda.time.., io.skep.pig..",
        "com.github.benmanes.caffeine..,"
                + " io.skep.metastore.cache..|io.skep.ql.reuse..|io.skep.ql.result..|io.skep.ql.commit..|"
                + "io.skep.ql.physical..|io.skep.ql.transaction..|io.skep.llap.server..|io.skep.storage.acid..|"
                + "io.skep.storage.file..",
        "org.apache.curator.., io.skep.llap.client.zookeeper..",
        "org.apache.zookeeper.., io.skep.llap.client.zookeeper..",
        "org.apache.hadoop.hdfs.., io.skep.storage.file..",
        "org.apache.orc.., io.skep.storage.orc..|io.skep.bench.scan..",
        "org.apache.parquet.., io.skep.storage.parquet..|io.skep.bench.scan..",
        "at.favre.lib.., io.skep.authentication",
        "com.nimbusds.., io.skep.authentication.jwt..|io.skep.authentication.testing..",
        "org.apache.kerby.., io.skep.authentication.testing..",
        "javax.naming.., io.skep.authentication.ldap..|io.skep.authentication",
        "org.eclipse.jetty.., io.skep.webui..|io.skep.authentication.http..|io.skep.service.http..",
        "jakarta.servlet.., io.skep.webui..",
        "org.duckdb.., io.skep.bench..",
        "io.trino.tpch.., io.skep.bench..",
        "io.trino.tpcds.., io.skep.bench..",
        "org.openjdk.jmh.., io.skep.bench..",
        "org.awaitility.., io.skep.common.testing..",
        "org.apache.log4j.., io.skep.common.log..",
        "org.slf4j.bridge.., io.skep.common.log..",
        "picocli.., io.skep.common.cli..|io.skep.llap.server.process..|io.skep.llap.server.yarn..|io.skep.service.cli.."
                + "|io.skep.service.doctor..|io.skep.service.server..|io.skep.service|io.skep.bench"
                + "|io.skep.metastore.service.."
    })
    void libraryStaysInItsPackage(String library, String homes) {
        noClasses()
                .that()
                .resideOutsideOfPackages(homes.split("\\|"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(skep);
    }

    @ParameterizedTest(name = "{0} nowhere")
    @CsvSource({"io.skep.hive.calcite.."})
    void libraryIsUsedNowhere(String library) {
        noClasses().should().dependOnClassesThat().resideInAPackage(library).check(skep);
    }
}
