package io.skep.ql.authorize;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.security.HiveAuthenticationProvider;
import org.apache.hadoop.hive.ql.session.ISessionAuthState;
import org.apache.hadoop.security.UserGroupInformation;

/** The user of a session, as the server has verified it, for an authorizer of Hive's interface. */
final class PluginUser implements HiveAuthenticationProvider {
    private final String user;
    private final Configuration settings;

    PluginUser(String user, Configuration settings) {
        this.user = user;
        this.settings = settings;
    }

    @Override
    public String getUserName() {
        return user;
    }

    /** Returns the groups that Hadoop knows of the user. It caches them. */
    @Override
    public List<String> getGroupNames() {
        return List.of(UserGroupInformation.createRemoteUser(user).getGroupNames());
    }

    @Override
    public void destroy() {}

    /** The user of a session does not change, and Hive's state of sessions is not used. */
    @Override
    public void setSessionState(ISessionAuthState state) {}

    /** All authorizers of a server share its settings. */
    @Override
    public void setConf(Configuration changed) {
        throw new UnsupportedOperationException("the settings of the server do not change");
    }

    @Override
    public Configuration getConf() {
        return settings;
    }
}
