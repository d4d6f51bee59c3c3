package io.skep.authentication.ldap;

import io.skep.common.config.SettingsReader;
import java.util.Map;
import javax.naming.NamingException;
import org.apache.hadoop.conf.Configuration;

/** A login in a process of its own, with the trust store that its command line names. Arguments: URL, base, user. */
final class LdapLogin {
    private LdapLogin() {}

    public static void main(String[] arguments) {
        LdapConfig config = LdapConfig.of(new SettingsReader(Map.of(
                "hive.server2.authentication.ldap.url", arguments[0],
                "hive.server2.authentication.ldap.baseDN", arguments[1])));
        try {
            System.out.println("user: "
                    + LdapDirectory.open(config, new Configuration(false)).verify(arguments[2], "pw-" + arguments[2]));
        } catch (NamingException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }
}
