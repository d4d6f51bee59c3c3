package io.skep.service.doctor;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import java.util.Optional;

/**
 * What a check has found.
 *
 * @param part what was looked at, in a word or two
 * @param mend what to do about it
 */
record Finding(Grade grade, String part, String text, Optional<String> mend) {
    /** Errors may have taken URLs and settings of the site into their words. */
    Finding {
        text = SecretSettings.redacted(text);
        mend = mend.map(SecretSettings::redacted);
    }

    enum Grade {
        OK,
        /** Nothing wrong, but good to know. */
        NOTE,
        /** Works, not as well as it should. */
        WARNING,
        /** A server cannot start, or cannot work. */
        FAILURE
    }

    static Finding ok(String part, String text) {
        return new Finding(Grade.OK, part, text, Optional.empty());
    }

    static Finding note(String part, String text) {
        return new Finding(Grade.NOTE, part, text, Optional.empty());
    }

    static Finding warning(String part, String text, String mend) {
        return new Finding(Grade.WARNING, part, text, Optional.of(mend));
    }

    static Finding failure(String part, String text, String mend) {
        return new Finding(Grade.FAILURE, part, text, Optional.of(mend));
    }

    /** A failure in the words of an error, whose hint, if it has one, is the mend. */
    static Finding failure(String part, SkepException error, String mend) {
        return failure(part, String.valueOf(error.getMessage()), error.hint().orElse(mend));
    }
}
