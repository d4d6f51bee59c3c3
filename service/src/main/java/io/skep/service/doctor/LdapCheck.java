package io.skep.service.doctor;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.AuthenticationMode;
import io.skep.authentication.ldap.LdapDirectory;
import io.skep.common.error.SkepException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Checks whether each LDAP directory answers, and accepts the server's own account if there is one. */
record LdapCheck(AuthenticationConfig config, Configuration site) implements Check {
    @Override
    public String part() {
        return "LDAP";
    }

    @Override
    public List<Finding> run() {
        if (!config.uses(AuthenticationMode.LDAP)) {
            return List.of(
                    Finding.note(part(), "not used: " + AuthenticationConfig.MODES.name() + " is " + config.text()));
        }
        boolean withAccount = config.ldap().account().isPresent();
        try {
            List<Finding> findings = new ArrayList<>();
            for (Map.Entry<String, Optional<String>> directory :
                    LdapDirectory.open(config.ldap(), site).probe().entrySet()) {
                String url = directory.getKey();
                findings.add(directory
                        .getValue()
                        .map(problem -> Finding.failure(
                                part(),
                                url + " cannot be used: " + problem,
                                "see whether the directory runs and the settings name it and its account correctly"))
                        .orElseGet(() -> Finding.ok(
                                part(), url + (withAccount ? " accepts the server's account" : " answers"))));
            }
            return findings;
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "correct the setting"));
        }
    }
}
