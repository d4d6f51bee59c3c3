package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.common.kerberos.ServiceLogin;
import io.skep.common.kerberos.ServicePrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.security.auth.kerberos.KerberosTicket;

/** Checks whether the server gets a ticket for HDFS and ZooKeeper: its keytab, its principal, the KDC and its clock. */
record HadoopLoginCheck(Optional<ServicePrincipal> login) implements Check {
    @Override
    public String part() {
        return "Kerberos of Hadoop";
    }

    @Override
    public List<Finding> run() {
        if (login.isEmpty()) {
            return List.of(Finding.note(part(), "not used: " + ServiceLogin.AUTHENTICATION.name() + " is simple"));
        }
        try {
            Instant before = Instant.now();
            KerberosTicket ticket = login.get().login();
            Instant after = Instant.now();
            Duration life = Duration.between(after, ticket.getEndTime().toInstant());
            List<Finding> findings = new ArrayList<>();
            findings.add(
                    Finding.ok(part(), login.get().name() + " gets a ticket for " + life.toMinutes() + " minutes"));
            // A KDC's times have whole seconds.
            Instant given = ticket.getAuthTime().toInstant();
            Clocks.compare("clock of the KDC", before.minusSeconds(1), given, after)
                    .ifPresent(findings::add);
            return findings;
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "correct the setting, or the file that it names"));
        }
    }
}
