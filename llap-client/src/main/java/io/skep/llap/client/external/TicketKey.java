package io.skep.llap.client.external;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that seals tickets: encrypted by AES-256-CTR, then signed by HMAC-SHA-256, each with a key of its own that HKDF
 * derives from one secret. A ticket contains predicates, paths and settings that its holder must not see. Thread-safe.
 */
final class TicketKey {
    static final int ID_BYTES = 8;
    static final int IV_BYTES = 16;
    static final int SIGNATURE_BYTES = 32;

    private static final String SIGNING = "HmacSHA256";
    private static final String ENCRYPTION = "AES";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] id;
    private final SecretKey encryption;
    private final SecretKey signing;

    /** @param secret random bytes, or a text that cannot be guessed */
    TicketKey(byte[] secret) {
        this.id = Arrays.copyOf(derived(secret, "skep ticket key id", SIGNING).getEncoded(), ID_BYTES);
        this.encryption = derived(secret, "skep ticket encryption", ENCRYPTION);
        this.signing = derived(secret, "skep ticket signature", SIGNING);
    }

    private static SecretKey derived(byte[] secret, String purpose, String algorithm) {
        try {
            HKDFParameterSpec derivation = HKDFParameterSpec.ofExtract()
                    .addIKM(new SecretKeySpec(secret, "Generic"))
                    .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), 32);
            byte[] bytes = KDF.getInstance("HKDF-SHA256").deriveData(derivation);
            return new SecretKeySpec(bytes, algorithm);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HKDF-SHA256", e);
        }
    }

    /** Returns the name by which a ticket refers to this key. It says nothing about the secret. */
    byte[] id() {
        return id.clone();
    }

    boolean isNamed(byte[] name) {
        return MessageDigest.isEqual(id, name);
    }

    static byte[] newIv() {
        byte[] iv = new byte[IV_BYTES];
        RANDOM.nextBytes(iv);
        return iv;
    }

    byte[] encrypt(byte[] iv, byte[] content) {
        return crypt(Cipher.ENCRYPT_MODE, iv, content, 0, content.length);
    }

    byte[] decrypt(byte[] iv, byte[] bytes, int from, int length) {
        return crypt(Cipher.DECRYPT_MODE, iv, bytes, from, length);
    }

    private byte[] crypt(int mode, byte[] iv, byte[] bytes, int from, int length) {
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(mode, encryption, new IvParameterSpec(iv));
            return cipher.doFinal(bytes, from, length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES/CTR", e);
        }
    }

    /** Returns the signature of the first bytes. */
    byte[] sign(byte[] bytes, int length) {
        try {
            Mac mac = Mac.getInstance(SIGNING);
            mac.init(signing);
            mac.update(bytes, 0, length);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + SIGNING, e);
        }
    }
}
