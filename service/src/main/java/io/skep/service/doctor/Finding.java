package io.skep.service.doctor;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import java.util.Optional;

/**
 * The result of a check.
 *
 * @param part what was checked, in one or two words
 * @param remedy the remedy
 */
record Finding(Grade grade, String part, String text, Optional<String> remedy) {
    /** Error messages may contain URLs and settings of the site. */
    Finding {
        text = SecretSettings.redacted(text);
        remedy = remedy.map(SecretSettings::redacted);
    }

    enum Grade {
        OK,
        /** Not a problem, but useful to know. */
        NOTE,
        /** Works, but not well. */
        WARNING,
        /** A server cannot start or cannot work. */
        FAILURE
    }

    static Finding ok(String part, String text) {
        return new Finding(Grade.OK, part, text, Optional.empty());
    }

    static Finding note(String part, String text) {
        return new Finding(Grade.NOTE, part, text, Optional.empty());
    }

    static Finding warning(String part, String text, String remedy) {
        return new Finding(Grade.WARNING, part, text, Optional.of(remedy));
    }

    static Finding failure(String part, String text, String remedy) {
        return new Finding(Grade.FAILURE, part, text, Optional.of(remedy));
    }

    /** Creates a failure with the message of an error. The error's hint, if any, replaces the given remedy. */
    static Finding failure(String part, SkepException error, String remedy) {
        return failure(part, String.valueOf(error.getMessage()), error.hint().orElse(remedy));
    }
}
