package io.skep.ql.authorize;

import com.google.common.base.CharMatcher;
import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.HadoopSettings;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzPluginException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.sqlstd.SQLAuthorizationUtils;
import org.apache.hadoop.hive.ql.security.authorization.plugin.sqlstd.SQLPrivTypeGrant;

/**
 * What HDFS lets a user do with the files and folders of statements. Hive's own class asks it, as the user, with its
 * owners, permissions and ACLs; a path that does not exist has the rights of the folder that it would be in.
 *
 * <p>Other file systems give nothing, so that their paths are for the role admin: a local file may be a link to what
 * only the server may read, and object stores do not know users. Thread-safe.
 */
public final class PathPrivileges {
    private static final String SCHEME = "hdfs:";

    /** Hive's class reads them as patterns, while statements name one file or folder. */
    private static final CharMatcher PATTERN = CharMatcher.anyOf("{}[]*?\\^");

    private final Supplier<HiveConf> settings;

    public PathPrivileges(Map<String, String> server) {
        this.settings = Suppliers.memoize(() -> new HiveConf(HadoopSettings.of(server), PathPrivileges.class));
    }

    /**
     * Returns the privileges that a user has on a path. Reads the states of all files below it.
     *
     * @throws SkepException AUTHORIZER_FAILED when HDFS does not answer
     */
    Set<RequiredPrivilege> of(AccessedObject.OfPath path, String user) {
        String resolved = path.resolved();
        Set<RequiredPrivilege> privileges = EnumSet.noneOf(RequiredPrivilege.class);
        if (!resolved.startsWith(SCHEME) || PATTERN.matchesAnyOf(resolved)) {
            return privileges;
        }
        try {
            SQLAuthorizationUtils.getPrivilegesFromFS(new Path(resolved), settings.get(), user)
                    .getRequiredPrivilegeSet()
                    .forEach(granted -> privileges.add(privilege(granted)));
        } catch (HiveAuthzPluginException e) {
            throw new SkepException(
                            StandardErrorCode.AUTHORIZER_FAILED,
                            "HDFS does not say what " + user + " may do with " + path.location() + ": "
                                    + (e.getCause() == null ? e : e.getCause()).getMessage(),
                            e)
                    .withHint("the server asks as the user, which HDFS must allow it by hadoop.proxyuser settings");
        }
        return privileges;
    }

    private static RequiredPrivilege privilege(SQLPrivTypeGrant granted) {
        return switch (granted) {
            case SELECT_NOGRANT -> RequiredPrivilege.SELECT;
            case SELECT_WGRANT -> RequiredPrivilege.SELECT_WITH_GRANT;
            case INSERT_NOGRANT -> RequiredPrivilege.INSERT;
            case INSERT_WGRANT -> RequiredPrivilege.INSERT_WITH_GRANT;
            case UPDATE_NOGRANT -> RequiredPrivilege.UPDATE;
            case UPDATE_WGRANT -> RequiredPrivilege.UPDATE_WITH_GRANT;
            case DELETE_NOGRANT -> RequiredPrivilege.DELETE;
            case DELETE_WGRANT -> RequiredPrivilege.DELETE_WITH_GRANT;
            case OWNER_PRIV -> RequiredPrivilege.OWNERSHIP;
            case ADMIN_PRIV -> RequiredPrivilege.ADMIN;
        };
    }
}
