package io.skep.authentication.jwt;

import java.time.Instant;
import java.util.Optional;

/**
 * What a valid token says.
 *
 * @param subject not empty
 * @param end the time from which it is not valid
 */
public record VerifiedToken(String subject, Optional<Instant> end) {}
