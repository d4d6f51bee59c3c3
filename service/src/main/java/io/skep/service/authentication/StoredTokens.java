package io.skep.service.authentication;

import io.skep.authentication.AuthenticationException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenSecretManager.DelegationTokenInformation;
import org.apache.hadoop.security.token.delegation.DelegationKey;

/**
 * Delegation tokens and keys as texts of the metastore database's tables, in the form of Hive's DBTokenStore: Base64
 * without padding, for URLs. Texts that have another form are left out.
 */
final class StoredTokens {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private StoredTokens() {}

    @FunctionalInterface
    private interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    private static String text(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            content.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ENCODER.encodeToString(bytes.toByteArray());
    }

    /** Returns a key or an identifier as text. */
    static String text(Writable value) {
        return text((Content) value::write);
    }

    /** Returns what belongs to an identifier: the token's secret and the time of its end. */
    static String text(byte[] secret, DelegationTokenInformation information) {
        return text(out -> {
            WritableUtils.writeVInt(out, secret.length);
            out.write(secret);
            out.writeLong(information.getRenewDate());
        });
    }

    /** The length of a key in the text is compared with the bytes that are there. */
    static Optional<DelegationKey> key(String text) {
        try (DataInputStream in = read(text)) {
            int number = WritableUtils.readVInt(in);
            long expiry = WritableUtils.readVLong(in);
            return Optional.of(new DelegationKey(number, expiry, TokenText.field(in)));
        } catch (IllegalArgumentException | IOException e) {
            return Optional.empty();
        }
    }

    static Optional<HiveTokenIdentifier> identifier(String text) {
        try {
            return Optional.of(TokenText.identifier(DECODER.decode(text)));
        } catch (IllegalArgumentException | AuthenticationException e) {
            return Optional.empty();
        }
    }

    static Optional<DelegationTokenInformation> information(String text) {
        try (DataInputStream in = read(text)) {
            byte[] secret = TokenText.field(in);
            return Optional.of(new DelegationTokenInformation(in.readLong(), secret));
        } catch (IllegalArgumentException | IOException e) {
            return Optional.empty();
        }
    }

    private static DataInputStream read(String text) {
        return new DataInputStream(new ByteArrayInputStream(DECODER.decode(text)));
    }
}
