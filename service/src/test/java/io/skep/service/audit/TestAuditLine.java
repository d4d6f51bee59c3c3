package io.skep.service.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.AccessRecord;
import io.skep.service.authentication.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TestAuditLine {
    private static final AuditedClient CLIENT = AuditedClient.unknown(Transport.BINARY, "10.0.0.7", Optional.of("ann"));

    private static String line(boolean withText, AuditEvent event) {
        return new String(
                new AuditLine("s", true, withText, new SecretSettings(List.of("my.hidden"))).of(event, Instant.EPOCH),
                StandardCharsets.UTF_8);
    }

    private static AuditEvent statement(List<AccessRecord.Need> needs, String text) {
        return new AuditEvent(
                AuditEvent.Kind.STATEMENT,
                CLIENT,
                Optional.of(new QueryId("q")),
                Optional.of("QUERY"),
                needs,
                Map.of(),
                Optional.of(text),
                Optional.empty());
    }

    @Test
    void isOneLineOfJson() {
        String line = line(true, statement(List.of(), "select\n'\uD800 \u0000 \"'"));
        assertThat(line)
                .endsWith("\"decision\":\"ALLOWED\",\"text\":\"select\\n'? \\u0000 \\\"'\"}\n")
                .startsWith("{\"time\":\"1970-01-01T00:00:00Z\",\"event\":\"STATEMENT\",\"server\":\"s\"");
        assertThat(line.lines()).hasSize(1);
        assertThat(line(false, statement(List.of(), "select"))).doesNotContain("text");
    }

    @Test
    void hidesSecrets() {
        for (String text : List.of(
                " SET x.password  =  pl4nted",
                "set my.hidden.one= pl4nted",
                "set u=jdbc:postgresql://u:pl4nted@h/d",
                "load data inpath 's3a://k:pl4nted@b/x' into table t")) {
            assertThat(line(true, statement(List.of(), text))).contains("text").doesNotContain("pl4nted");
        }
        AccessRecord.Need path = new AccessRecord.Need(
                "DFS_URI", "s3a://k:pl4nted@b/x", Optional.empty(), Optional.empty(), List.of("INSERT"));
        assertThat(line(true, statement(List.of(path), ""))).contains("s3a://k:***@b/x");
        AuditEvent refused = AuditEvent.session(
                CLIENT,
                Optional.of(new SkepException(StandardErrorCode.INVALID_ARGUMENT, "no u?password=pl4nted here")));
        assertThat(line(true, refused))
                .contains("\"decision\":\"FAILED\"", "INVALID_ARGUMENT")
                .doesNotContain("pl4nted");
    }

    /** A wide table does not make a line of any length. */
    @Test
    void hasABoundAndSaysWhatIsMissing() {
        List<String> columns = IntStream.range(0, 5000).mapToObj(i -> "c" + i).toList();
        AccessRecord.Need wide = new AccessRecord.Need(
                "TABLE_OR_VIEW", "m.t", Optional.of(columns), Optional.empty(), List.of("SELECT"));
        AccessRecord.Need other = new AccessRecord.Need(
                "TABLE_OR_VIEW", "m.u", Optional.empty(), Optional.of("INSERT"), List.of("INSERT"));
        assertThat(line(false, statement(List.of(other, wide, other), "")))
                .contains("\"name\":\"m.u\",\"action\":\"INSERT\",\"privileges\":[\"INSERT\"]}")
                .contains("\"c1997\"]", "\"omittedNames\":3002")
                .doesNotContain("\"c1998\"");
        assertThat(line(true, statement(List.of(), "x".repeat(1_000_000)))).hasSizeLessThan(20_000);
    }
}
