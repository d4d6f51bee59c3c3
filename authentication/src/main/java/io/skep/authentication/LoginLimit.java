package io.skep.authentication;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Limits how many logins are verified at a time. Further ones wait in their order, for a limited time. Thread-safe. */
final class LoginLimit implements PasswordAuthenticator {
    private final PasswordAuthenticator verifier;
    private final Semaphore permits;
    private final Duration patience;

    /** @param patience how long a login waits before it is refused */
    LoginLimit(PasswordAuthenticator verifier, int maxLogins, Duration patience) {
        this.verifier = verifier;
        this.permits = new Semaphore(maxLogins, true);
        this.patience = patience;
    }

    @Override
    public String verify(String user, String password) throws AuthenticationException {
        try {
            if (!permits.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AuthenticationException("too many logins at a time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AuthenticationException("interrupted", e);
        }
        try {
            return verifier.verify(user, password);
        } finally {
            permits.release();
        }
    }
}
