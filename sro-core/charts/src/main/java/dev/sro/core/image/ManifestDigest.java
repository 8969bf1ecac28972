package dev.sro.core.image;

import dev.sro.core.model.Digests;
import java.security.MessageDigest;

/** Digests as registries write them. Stateless. */
final class ManifestDigest {

    private ManifestDigest() {}

    /**
     * The digest of these bytes.
     *
     * @param like a digest whose algorithm is taken; SHA-256 if it is none
     */
    static String of(String like, byte[] bytes) {
        MessageDigest digest = Digests.like(like);
        return (like.startsWith("sha512:") ? "sha512:" : "sha256:") + Digests.hex(digest, bytes);
    }
}
