package dev.sro.core.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of files, as 64 lower case hexadecimal digits. Stateless. */
final class Digests {

    private Digests() {}

    static String sha256(Path file) throws IOException {
        return transfer(file, OutputStream.nullOutputStream());
    }

    /** Copies the file and returns the digest of what was written. */
    static String copy(Path source, Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            return transfer(source, out);
        }
    }

    private static String transfer(Path source, OutputStream out) throws IOException {
        MessageDigest digest = newSha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(source), digest)) {
            in.transferTo(out);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
