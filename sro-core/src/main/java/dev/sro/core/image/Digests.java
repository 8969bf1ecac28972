package dev.sro.core.image;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests as registries write them. Stateless. */
final class Digests {

    private Digests() {}

    /**
     * The digest of these bytes.
     *
     * @param like a digest whose algorithm is taken; SHA-256 if it is none
     */
    static String of(String like, byte[] bytes) {
        boolean longer = like.startsWith("sha512:");
        try {
            byte[] hash =
                    MessageDigest.getInstance(longer ? "SHA-512" : "SHA-256").digest(bytes);
            return (longer ? "sha512:" : "sha256:") + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256 and SHA-512", e);
        }
    }
}
