package io.skep.service.doctor;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.AuthenticationMode;
import io.skep.authentication.jwt.JwtVerifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks whether the keys of each issuer of signed tokens can be read. */
record JwtCheck(AuthenticationConfig config) implements Check {
    @Override
    public String part() {
        return "JWT";
    }

    @Override
    public List<Finding> run() {
        if (!config.uses(AuthenticationMode.JWT)) {
            return List.of(
                    Finding.note(part(), "not used: " + AuthenticationConfig.MODES.name() + " is " + config.text()));
        }
        List<Finding> findings = new ArrayList<>();
        for (Map.Entry<URI, Optional<String>> keys :
                JwtVerifier.probe(config.jwt()).entrySet()) {
            findings.add(keys.getValue()
                    .map(problem -> Finding.failure(
                            part(),
                            keys.getKey() + " gives no keys: " + problem,
                            "see whether the address is right and reachable from here"))
                    .orElseGet(() -> Finding.ok(part(), keys.getKey() + " has keys")));
        }
        return findings;
    }
}
