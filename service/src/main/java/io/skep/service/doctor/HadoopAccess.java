package io.skep.service.doctor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.storage.file.HadoopLogin;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** The login of the doctor's process to a Hadoop with Kerberos, which checks share. Thread-safe. */
final class HadoopAccess {
    private final Optional<ServicePrincipal> principal;
    private final Configuration hadoop;

    @GuardedBy("this")
    private boolean done;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    /** @param principal of the server, where Hadoop has Kerberos */
    HadoopAccess(Optional<ServicePrincipal> principal, Configuration hadoop) {
        this.principal = principal;
        this.hadoop = hadoop;
    }

    /** The access of a process that does not log in. */
    static HadoopAccess withoutLogin() {
        return new HadoopAccess(Optional.empty(), new Configuration(false));
    }

    /**
     * Logs in once, where Hadoop has Kerberos.
     *
     * @return why that is not possible
     */
    synchronized Optional<Finding> problem(String part) {
        if (!done && principal.isPresent()) {
            try {
                HadoopLogin.start(principal.get(), hadoop).close();
            } catch (SkepException e) {
                failure = e;
            }
        }
        done = true;
        return Optional.ofNullable(failure)
                .map(known -> Finding.failure(part, known, "correct the setting, or the file that it names"));
    }
}
