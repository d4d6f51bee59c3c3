package io.skep.service.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.skep.common.config.SecretSettings;
import io.skep.common.error.SecretText;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.AccessRecord;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes events as lines of JSON. A line has a bound, and says how much was left out. Immutable. */
final class AuditLine {
    /** The number of objects and columns that a line names. */
    private static final int MAX_NAMES = 2000;

    private static final int MAX_NAME_CHARS = 1024;
    private static final int MAX_TEXT_CHARS = 16 << 10;

    private final JsonFactory json = new JsonFactory();
    private final String server;
    private final boolean authorizes;
    private final boolean withText;
    private final SecretSettings secrets;

    /**
     * @param server the name of the server
     * @param authorizes whether it checks statements
     * @param withText whether lines have the text of statements
     * @param secrets the settings whose values are secrets
     */
    AuditLine(String server, boolean authorizes, boolean withText, SecretSettings secrets) {
        this.server = server;
        this.authorizes = authorizes;
        this.withText = withText;
        this.secrets = secrets;
    }

    /** Returns the line with its end. */
    byte[] of(AuditEvent event, Instant time) {
        StringWriter line = new StringWriter(512);
        try (JsonGenerator to = json.createGenerator(line)) {
            to.writeStartObject();
            to.writeStringField("time", time.toString());
            to.writeStringField("event", event.kind().name());
            to.writeStringField("server", server);
            write(event.client(), to);
            if (event.query().isPresent()) {
                to.writeStringField("query", event.query().get().value());
            }
            optional("operation", event.operation(), to);
            if (event.kind() != AuditEvent.Kind.LOGIN && event.kind() != AuditEvent.Kind.SESSION) {
                to.writeBooleanField("authorization", authorizes);
            }
            to.writeStringField("decision", decision(event.refusal()));
            writeNeeds(event.needs(), to);
            writeArguments(event.arguments(), to);
            if (withText && event.text().isPresent()) {
                to.writeStringField("text", text(event));
            }
            if (event.refusal().isPresent()) {
                write(event.refusal().get(), to);
            }
            to.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(AuditedClient client, JsonGenerator to) throws IOException {
        optional("session", client.session().map(Object::toString), to);
        to.writeStringField("transport", client.transport().name());
        to.writeStringField("address", client.address());
        optional("login", client.login(), to);
        optional("user", client.user(), to);
    }

    private static void optional(String field, Optional<String> value, JsonGenerator to) throws IOException {
        if (value.isPresent()) {
            to.writeStringField(field, cut(value.get(), MAX_NAME_CHARS));
        }
    }

    private static String decision(Optional<SkepException> refusal) {
        return refusal.map(error -> error.code() == StandardErrorCode.ACCESS_DENIED ? "DENIED" : "FAILED")
                .orElse("ALLOWED");
    }

    private static void writeNeeds(List<AccessRecord.Need> needs, JsonGenerator to) throws IOException {
        if (needs.isEmpty()) {
            return;
        }
        int left = MAX_NAMES;
        int omitted = 0;
        to.writeArrayFieldStart("objects");
        for (AccessRecord.Need object : new LinkedHashSet<>(needs)) {
            int names = 1 + object.columns().map(List::size).orElse(0);
            if (left == 0) {
                omitted += names;
                continue;
            }
            int some = Math.min(names, left);
            write(object, some - 1, to);
            left -= some;
            omitted += names - some;
        }
        to.writeEndArray();
        if (omitted > 0) {
            to.writeNumberField("omittedNames", omitted);
        }
    }

    private static void write(AccessRecord.Need object, int columns, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("type", object.type());
        to.writeStringField("name", cut(SecretText.redact(object.name()), MAX_NAME_CHARS));
        if (object.columns().isPresent()) {
            to.writeArrayFieldStart("columns");
            for (String column : object.columns().get().subList(0, columns)) {
                to.writeString(cut(column, MAX_NAME_CHARS));
            }
            to.writeEndArray();
        }
        optional("action", object.action(), to);
        to.writeArrayFieldStart("privileges");
        for (String privilege : object.privileges()) {
            to.writeString(privilege);
        }
        to.writeEndArray();
        to.writeEndObject();
    }

    private static void writeArguments(Map<String, String> arguments, JsonGenerator to) throws IOException {
        if (arguments.isEmpty()) {
            return;
        }
        to.writeObjectFieldStart("arguments");
        for (Map.Entry<String, String> argument : new TreeMap<>(arguments).entrySet()) {
            to.writeStringField(argument.getKey(), cut(SecretText.redact(argument.getValue()), MAX_NAME_CHARS));
        }
        to.writeEndObject();
    }

    /** The value of a secret setting is left out wherever blanks are around it. */
    private String text(AuditEvent event) {
        String text = event.text().orElseThrow().strip();
        int equals = text.indexOf('=');
        if (equals > 0
                && text.regionMatches(true, 0, "set", 0, 3)
                && secrets.isSecret(text.substring(3, equals).strip())) {
            return text.substring(0, equals + 1) + SecretSettings.HIDDEN;
        }
        return cut(SecretText.redact(text), MAX_TEXT_CHARS);
    }

    private static void write(SkepException error, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart("error");
        to.writeStringField("code", error.code().name());
        to.writeStringField("message", cut(SecretText.redact(error.fullMessage()), MAX_TEXT_CHARS));
        to.writeEndObject();
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length) + "...";
    }
}
