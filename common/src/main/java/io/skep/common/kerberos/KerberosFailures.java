package io.skep.common.kerberos;

import javax.security.sasl.SaslException;

/** Recognizes failures of a login by Kerberos, which Hadoop's clients wrap more than once. */
public final class KerberosFailures {
    private KerberosFailures() {}

    /** Whether a call has failed because the process has no valid ticket for the service. */
    public static boolean lacksTicket(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SaslException
                    || String.valueOf(at.getMessage()).contains("Client cannot authenticate via")) {
                return true;
            }
        }
        return false;
    }
}
