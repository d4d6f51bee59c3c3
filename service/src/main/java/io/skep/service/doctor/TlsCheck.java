package io.skep.service.doctor;

import io.skep.authentication.tls.TlsConfig;
import io.skep.authentication.tls.TlsContext;
import io.skep.authentication.tls.TlsStores;
import io.skep.common.error.SkepException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Checks whether the key for TLS can be used: its file, password and certificates, and the allowed versions. */
record TlsCheck(String part, TlsConfig config, Configuration site, InstantSource clock) implements Check {
    private static final Duration SOON = Duration.ofDays(30);

    @Override
    public List<Finding> run() {
        if (!config.enabled()) {
            return List.of(Finding.note(part(), "not used: what is sent can be read on the network"));
        }
        try {
            TlsStores stores = TlsStores.open(config, site);
            TlsContext.of(config, stores);
            return stores.certificates().stream().map(this::judge).toList();
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "correct the setting, or the file that it names"));
        }
    }

    private Finding judge(X509Certificate certificate) {
        Instant now = clock.instant();
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        String name =
                "the certificate of " + certificate.getSubjectX500Principal().getName();
        if (now.isBefore(begin)) {
            return Finding.failure(part(), name + " is valid from " + begin + " on", "see whether the clock is right");
        }
        if (now.isAfter(end)) {
            return Finding.failure(part(), name + " was valid until " + end, "renew it and start the server again");
        }
        return now.plus(SOON).isAfter(end)
                ? Finding.warning(part(), name + " is valid until " + end, "renew it and start the server again")
                : Finding.ok(part(), name + " is valid until " + end);
    }
}
