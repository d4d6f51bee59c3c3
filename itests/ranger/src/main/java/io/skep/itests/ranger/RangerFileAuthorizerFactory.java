package io.skep.itests.ranger;

import com.google.gson.Gson;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.security.HiveAuthenticationProvider;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizerFactory;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzPluginException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzSessionContext;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveMetastoreClientFactory;
import org.apache.ranger.authorization.hadoop.config.RangerPluginConfig;
import org.apache.ranger.plugin.policyengine.RangerPolicyEngineOptions;
import org.apache.ranger.plugin.service.RangerBasePlugin;
import org.apache.ranger.plugin.store.EmbeddedServiceDefsUtil;
import org.apache.ranger.plugin.util.ServicePolicies;

/**
 * An authorizer of Hive's plug-in interface on Ranger's policy engine, for tests: Ranger's own plug-in for Hive is on
 * no public repository. The policies come from a file in the place of Ranger's server.
 */
public final class RangerFileAuthorizerFactory implements HiveAuthorizerFactory {
    /** The setting that names the file: a ServicePolicies of Ranger, without the service definition. */
    public static final String POLICIES = "testing.ranger.policies";

    private static final String SERVICE = "hive";

    @Override
    public HiveAuthorizer createHiveAuthorizer(
            HiveMetastoreClientFactory metastore,
            HiveConf conf,
            HiveAuthenticationProvider authenticator,
            HiveAuthzSessionContext session)
            throws HiveAuthzPluginException {
        Set<String> groups = new TreeSet<>(authenticator.getGroupNames());
        return new RangerFileAuthorizer(plugin(Path.of(conf.get(POLICIES))), authenticator.getUserName(), groups);
    }

    private static RangerBasePlugin plugin(Path file) throws HiveAuthzPluginException {
        try (Reader reader = Files.newBufferedReader(file)) {
            ServicePolicies policies = new Gson().fromJson(reader, ServicePolicies.class);
            policies.setServiceDef(EmbeddedServiceDefsUtil.instance().getEmbeddedServiceDef(SERVICE));
            RangerPluginConfig config =
                    new RangerPluginConfig(SERVICE, "tests", SERVICE, null, null, new RangerPolicyEngineOptions());
            // init() is not called: it would ask Ranger's server for policies.
            RangerBasePlugin plugin = new RangerBasePlugin(config);
            plugin.setPolicies(policies);
            return plugin;
        } catch (Exception e) {
            throw new HiveAuthzPluginException("the policies in " + file + ": " + e, e);
        }
    }
}
