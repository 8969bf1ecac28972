package dev.sro.runtime.webhook;

import dev.sro.core.recipe.source.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;

/**
 * The certificates by which the API server knows a server of webhooks, from a file of PEM. It is read again on {@link #reload}; one that
 * is broken is not taken. Thread-safe.
 */
public final class CaBundle {

    private final Path file;
    private volatile Optional<String> current = Optional.empty();
    private volatile String fault = "";

    /** Of this file, which is read at once; see {@link #fault}. */
    public CaBundle(Path file) {
        this.file = file;
        reload();
    }

    /** As base64 of PEM; empty when there is no such file. */
    public Optional<String> text() {
        return current;
    }

    /** Why the file could not be used when it was last read, which leaves what was read before in place; empty when it could. */
    public String fault() {
        return fault;
    }

    /**
     * Reads the file again.
     *
     * @return whether it is another one now
     */
    public synchronized boolean reload() {
        Optional<String> before = current;
        try {
            byte[] pem = Files.readAllBytes(file);
            Pem.certificates(new String(pem, StandardCharsets.ISO_8859_1));
            current = Optional.of(Base64.getEncoder().encodeToString(pem));
            fault = "";
        } catch (NoSuchFileException e) {
            current = Optional.empty();
            fault = "";
        } catch (IOException e) {
            fault = file + " cannot be read: " + e;
        } catch (GeneralSecurityException e) {
            fault = file + " has no certificates as PEM: " + e.getMessage();
        }
        return !current.equals(before);
    }
}
