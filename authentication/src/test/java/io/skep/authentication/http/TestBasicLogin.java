package io.skep.authentication.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

final class TestBasicLogin {
    private static String header(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theNameStandsBeforeTheFirstColon() {
        assertThat(BasicLogin.of(header("ann:"))).hasValue(new BasicLogin("ann", ""));
        assertThat(BasicLogin.of(header("änn:a:b"))).hasValue(new BasicLogin("änn", "a:b"));
        assertThat(BasicLogin.of(header("ann:x").replace("Basic", "bASIC"))).hasValue(new BasicLogin("ann", "x"));
    }

    @Test
    void damagedHeadersNameNoOne() {
        assertThat(BasicLogin.of(null)).isEmpty();
        assertThat(BasicLogin.of("Basic")).isEmpty();
        assertThat(BasicLogin.of("Basic ")).isEmpty();
        assertThat(BasicLogin.of("Basic !!!")).isEmpty();
        assertThat(BasicLogin.of(header("ann"))).isEmpty();
        assertThat(BasicLogin.of(header(":x"))).isEmpty();
        assertThat(BasicLogin.of("Negotiate YII")).isEmpty();
    }
}
