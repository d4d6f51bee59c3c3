package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.MetastoreConfig;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.MetastoreTaskThread;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.junit.jupiter.api.Test;

final class TestServiceSettings {
    private static final String HIVES = "org.apache.hive.hcatalog.listener.DbNotificationListener";

    private static Configuration of(Map<String, String> site) {
        String url = "jdbc:postgresql://h/db";
        return ServiceSettings.of(MetastoreConfig.of(site, Path.of("/data")), url, "127.0.0.1", 9083);
    }

    @Test
    void changesAreLoggedWithoutASetting() {
        Configuration settings = of(Map.of());
        assertThat(MetastoreConf.getVar(settings, ConfVars.TRANSACTIONAL_EVENT_LISTENERS))
                .isEqualTo(ServiceEvents.class.getName());
        assertThat(MetastoreConf.getVar(settings, ConfVars.EVENT_LISTENERS)).isEmpty();
    }

    @Test
    void otherListenersStay() {
        Configuration settings = of(Map.of(
                "hive.metastore.transactional.event.listeners", " a.B , " + HIVES,
                "hive.metastore.event.listeners", HIVES + ",c.D"));
        assertThat(MetastoreConf.getVar(settings, ConfVars.TRANSACTIONAL_EVENT_LISTENERS))
                .isEqualTo("a.B," + ServiceEvents.class.getName());
        assertThat(MetastoreConf.getVar(settings, ConfVars.EVENT_LISTENERS)).isEqualTo("c.D");
    }

    @Test
    void managedTablesStayManagedUnlessTheSiteSaysOtherwise() {
        String name = "metastore.metadata.transformer.class";
        assertThat(of(Map.of()).get(name)).isBlank().isNotEmpty();
        assertThat(of(Map.of(name, "a.B")).get(name)).isEqualTo("a.B");
    }

    @Test
    void theServiceIsNotItsOwnClient() {
        Configuration settings = of(Map.of(
                "hive.metastore.uris", "thrift://h:1", "javax.jdo.option.ConnectionURL", "jdbc:postgresql://h/db"));
        assertThat(MetastoreConf.getVar(settings, ConfVars.THRIFT_URIS)).isEmpty();
    }

    @Test
    void everyTaskIsOnTheClassPath() {
        assertThat(MetastoreConf.getVar(of(Map.of()), ConfVars.TASK_THREADS_ALWAYS)
                        .split(","))
                .hasSizeGreaterThan(2)
                .allSatisfy(task -> assertThat(Class.forName(task)).isAssignableTo(MetastoreTaskThread.class));
    }
}
