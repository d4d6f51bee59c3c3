package io.skep.authentication;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers for a time which passwords were right, for clients that log in with each call. Refused logins are not
 * remembered. Passwords are not kept: only their HMAC with a random key of this process. Thread-safe.
 */
public final class RememberedLogins implements PasswordAuthenticator {
    static final int MAX_LOGINS = 10_000;

    private final PasswordAuthenticator verifier;
    private final Duration time;
    private final InstantSource clock;
    private final ProcessKey key = new ProcessKey();

    /** Logins in the order of their verification, so that the first one is the oldest. Guarded by itself. */
    private final Map<ByteBuffer, Verified> logins = new LinkedHashMap<>();

    /** A right password. */
    private record Verified(String user, Instant end) {}

    /**
     * @param time for which a login is remembered
     * @param clock measures it; the time that it starts with does not matter
     */
    public RememberedLogins(PasswordAuthenticator verifier, Duration time, InstantSource clock) {
        this.verifier = verifier;
        this.time = time;
        this.clock = clock;
    }

    @Override
    public String verify(String user, String password, String address) throws AuthenticationException {
        ByteBuffer login = digest(user, password);
        synchronized (logins) {
            Verified known = logins.get(login);
            if (known != null && clock.instant().isBefore(known.end())) {
                return known.user();
            }
        }
        String verified = verifier.verify(user, password, address);
        synchronized (logins) {
            // A login that is verified again moves to the end.
            logins.remove(login);
            logins.put(login, new Verified(verified, clock.instant().plus(time)));
            if (logins.size() > MAX_LOGINS) {
                logins.remove(logins.keySet().iterator().next());
            }
        }
        return verified;
    }

    /** The length of the name is part of it: no other name and password have the same bytes. */
    private ByteBuffer digest(String user, String password) {
        byte[] name = user.getBytes(StandardCharsets.UTF_8);
        byte[] length = ByteBuffer.allocate(Integer.BYTES).putInt(name.length).array();
        return ByteBuffer.wrap(key.sign(length, name, password.getBytes(StandardCharsets.UTF_8)));
    }
}
