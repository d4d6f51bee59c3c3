package io.skep.ql.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestVariableSubstitution {
    private final SessionSettings settings =
            new SessionSettings(KnownSettings.NONE, Map.of("hive.local.time.zone", "UTC"));
    private final VariableSubstitution substitution = new VariableSubstitution(settings);

    @Test
    void valuesAreReplacedUntilNothingChanges() {
        settings.setVariable("a", "<${hivevar:b}>");
        settings.setVariable("b", "c $1 \\");
        assertThat(substitution.substitute("x ${a} ${hivevar:b} ${none} y")).isEqualTo("x <c $1 \\> c $1 \\ ${none} y");
        assertThat(substitution.substitute("${a}")).isEqualTo("<c $1 \\>");
    }

    /** Without a bound the text would double 40 times. */
    @Test
    void aValueThatRefersToItselfTwiceIsRefused() {
        settings.setVariable("x", "${hivevar:x}${hivevar:x}");
        refused("select '${hivevar:x}'");
        settings.setVariable("y", "${y}");
        assertThat(substitution.substitute("${y}")).isEqualTo("${y}");
        settings.setVariable("a", "${b}.");
        settings.setVariable("b", "${a}.");
        refused("${a}");
    }

    @Test
    void manyUsesOfALongValueAreRefused() {
        settings.setVariable("long", "x".repeat(VariableSubstitution.MAX_ADDED_CHARS / 4));
        assertThat(substitution.substitute("${long}${long}")).hasSize(VariableSubstitution.MAX_ADDED_CHARS / 2);
        refused("${long} ".repeat(1000));
    }

    private void refused(String text) {
        assertThatThrownBy(() -> substitution.substitute(text))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
    }
}
