package dev.sro.core.plugin;

import dev.sro.core.model.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;

/** SHA-256 of files, as 64 lower case hexadecimal digits. Stateless. */
final class FileDigests {

    private FileDigests() {}

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
        MessageDigest digest = Digests.sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(source), digest)) {
            in.transferTo(out);
        }
        return Digests.hex(digest);
    }
}
