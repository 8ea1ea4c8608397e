package io.optimus.am.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret of one job, which only its processes know. It signs handshakes and is never sent. */
public final class JobSecret {
    private static final String ALGORITHM = "HmacSHA256";
    /** The length of the hash. More bytes would not add security. */
    private static final int BYTES = 32;

    private final byte[] key;

    private JobSecret(byte[] key) {
        this.key = key;
    }

    /** Makes a new secret. */
    public static JobSecret random() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        return new JobSecret(key);
    }

    /**
     * Reads what {@link #text} writes.
     *
     * @throws IllegalArgumentException if {@code text} is not 64 hexadecimal digits
     */
    public static JobSecret parse(String text) {
        String digits = text.strip();
        if (digits.length() != 2 * BYTES || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            // The message does not show the text, which may be most of the secret.
            throw new IllegalArgumentException("A job's secret is 64 hexadecimal digits, got " + digits.length()
                    + " characters; take it from the ApplicationMaster's launch context");
        }
        return new JobSecret(HexFormat.of().parseHex(digits));
    }

    /** Returns 64 hexadecimal digits, for the task's environment or a file that only its user can read. */
    public String text() {
        return HexFormat.of().formatHex(key);
    }

    byte[] sign(String purpose, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is part of every Java platform", e);
        }
    }

    @Override
    public String toString() {
        return "JobSecret[hidden]";
    }
}
