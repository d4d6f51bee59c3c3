package io.skep.service.http;

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
        assertThat(BasicLogin.user(header("ann:"))).hasValue("ann");
        assertThat(BasicLogin.user(header("änn:a:b"))).hasValue("änn");
        assertThat(BasicLogin.user(header("ann:x").replace("Basic", "bASIC"))).hasValue("ann");
    }

    @Test
    void damagedHeadersNameNoOne() {
        assertThat(BasicLogin.user(null)).isEmpty();
        assertThat(BasicLogin.user("Basic")).isEmpty();
        assertThat(BasicLogin.user("Basic ")).isEmpty();
        assertThat(BasicLogin.user("Basic !!!")).isEmpty();
        assertThat(BasicLogin.user(header("ann"))).isEmpty();
        assertThat(BasicLogin.user(header(":x"))).isEmpty();
        assertThat(BasicLogin.user("Negotiate YII")).isEmpty();
    }
}
