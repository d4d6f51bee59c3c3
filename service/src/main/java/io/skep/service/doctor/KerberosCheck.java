package io.skep.service.doctor;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.KerberosAcceptor;
import io.skep.authentication.KerberosConfig;
import io.skep.common.error.SkepException;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.kerberos.KerberosPrincipal;

/** Checks whether clients can log in by Kerberos: the keytab, the server's principal, the rules, and the realm. */
record KerberosCheck(AuthenticationConfig config) implements Check {
    @Override
    public String part() {
        return "Kerberos";
    }

    @Override
    public List<Finding> run() {
        if (config.kerberos().isEmpty()) {
            return List.of(
                    Finding.note(part(), "not used: " + AuthenticationConfig.MODES.name() + " is " + config.text()));
        }
        KerberosConfig kerberos = config.kerberos().get();
        try {
            KerberosAcceptor acceptor = KerberosAcceptor.open(kerberos);
            List<Finding> findings = new ArrayList<>();
            findings.add(Finding.ok(part(), kerberos.binary().keytab() + " has keys for " + acceptor.principal()));
            if (kerberos.usesDefaultRealm() && !hasDefaultRealm()) {
                findings.add(Finding.failure(
                        part(),
                        "no user has a name: the rule DEFAULT needs the default realm, which krb5.conf does not name",
                        "set default_realm in krb5.conf"));
            }
            return findings;
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "correct the setting, or the file that it names"));
        }
    }

    private static boolean hasDefaultRealm() {
        try {
            return !new KerberosPrincipal("anyone").getRealm().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
