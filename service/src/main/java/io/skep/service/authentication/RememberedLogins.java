package io.skep.service.authentication;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Remembers for a time which passwords were right, for clients that log in with each call. Refused logins are not
 * remembered. Passwords are not kept: only their HMAC with a random key of this process. Thread-safe.
 */
public final class RememberedLogins implements PasswordAuthenticator {
    static final int MAX_LOGINS = 10_000;
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final PasswordAuthenticator verifier;
    private final Duration time;
    private final InstantSource clock;
    private final SecretKeySpec key;

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
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, ALGORITHM);
    }

    @Override
    public String verify(String user, String password) throws AuthenticationException {
        ByteBuffer login = digest(user, password);
        synchronized (logins) {
            Verified known = logins.get(login);
            if (known != null && clock.instant().isBefore(known.end())) {
                return known.user();
            }
        }
        String verified = verifier.verify(user, password);
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
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
            mac.update(name);
            mac.update(password.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
