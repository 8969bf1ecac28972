package dev.sro.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-2 of bytes and texts, in lower case hexadecimal digits. Stateless. */
public final class Digests {

    private Digests() {}

    /** SHA-256 of these bytes. */
    public static String sha256(byte[] bytes) {
        return hex(sha256(), bytes);
    }

    /** SHA-256 of this text in UTF-8. */
    public static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /** To be fed piece by piece. */
    public static MessageDigest sha256() {
        return algorithm("SHA-256");
    }

    /** As registries name digests: {@code sha512:} is one, everything else SHA-256. */
    public static MessageDigest like(String digest) {
        return algorithm(digest.startsWith("sha512:") ? "SHA-512" : "SHA-256");
    }

    /** The digits, when all pieces are in. */
    public static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The digits, with these bytes as the last piece. */
    public static String hex(MessageDigest digest, byte[] last) {
        return HexFormat.of().formatHex(digest.digest(last));
    }

    private static MessageDigest algorithm(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + name, e);
        }
    }
}
