package io.skep.service.authentication;

import io.skep.authentication.AuthenticationException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;

/**
 * Reads delegation tokens of clients. Hadoop's own classes allocate what a length in a token says, so all lengths are
 * compared here with the bytes that are there.
 */
final class TokenText {
    /** Owner, renewer and the user who has asked are the first fields of an identifier. */
    private static final int TEXTS_OF_IDENTIFIER = 3;

    private TokenText() {}

    /** Reads a token in the form that {@link Token#encodeToUrlString} writes. */
    static Token<HiveTokenIdentifier> token(String text) throws AuthenticationException {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text.strip());
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
                byte[] identifier = field(in);
                byte[] password = field(in);
                Text kind = new Text(field(in));
                Text service = new Text(field(in));
                return new Token<>(identifier, password, kind, service);
            }
        } catch (IllegalArgumentException | IOException e) {
            throw new AuthenticationException("the delegation token is damaged", e);
        }
    }

    /** Reads an identifier that a client of SASL gives as its name. */
    static HiveTokenIdentifier identifier(String name) throws AuthenticationException {
        try {
            return identifier(Base64.getDecoder().decode(name));
        } catch (IllegalArgumentException e) {
            throw new AuthenticationException("the name is no delegation token", e);
        }
    }

    static HiveTokenIdentifier identifier(byte[] bytes) throws AuthenticationException {
        try (DataInputStream checked = new DataInputStream(new ByteArrayInputStream(bytes));
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            var _ = checked.readByte();
            for (int i = 0; i < TEXTS_OF_IDENTIFIER; i++) {
                checked.skipNBytes(length(checked));
            }
            HiveTokenIdentifier identifier = new HiveTokenIdentifier();
            identifier.readFields(in);
            return identifier;
        } catch (IllegalArgumentException | IOException e) {
            throw new AuthenticationException("the delegation token is damaged", e);
        }
    }

    /** Returns the password of a token as SASL has it. */
    static char[] password(byte[] password) {
        return StandardCharsets.ISO_8859_1
                .decode(ByteBuffer.wrap(Base64.getEncoder().encode(password)))
                .array();
    }

    /** Reads bytes with their length before them. */
    static byte[] field(DataInputStream in) throws IOException {
        return in.readNBytes(length(in));
    }

    private static int length(DataInputStream in) throws IOException {
        int length = WritableUtils.readVInt(in);
        if (length < 0 || length > in.available()) {
            throw new IOException("a field of " + length + " bytes");
        }
        return length;
    }
}
