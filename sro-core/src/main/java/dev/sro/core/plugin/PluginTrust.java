package dev.sro.core.plugin;

import dev.sro.core.model.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which plugin files may be loaded: those whose SHA-256 digest is known, and those that are signed by a known key, as {@code cosign
 * sign-blob} does it. Immutable.
 *
 * <p>A signature is beside the file: {@code acme.jar.sig} (the signature in base64), or {@code acme.jar.sigstore.json} (a bundle of
 * sigstore, of which the signature counts and no transparency log).
 */
public final class PluginTrust {

    /** Every file may be loaded. */
    public static final PluginTrust ANY = new PluginTrust(Optional.empty(), List.of());

    private final Optional<Set<String>> digests;
    private final List<PublicKey> keys;

    private PluginTrust(Optional<Set<String>> digests, List<PublicKey> keys) {
        this.digests = digests;
        this.keys = List.copyOf(keys);
    }

    /**
     * Files with one of these digests, and no others.
     *
     * @param sha256 64 hexadecimal digits each
     */
    public static PluginTrust ofDigests(Set<String> sha256) {
        return new PluginTrust(
                Optional.of(sha256.stream()
                        .map(digest -> digest.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet())),
                List.of());
    }

    /**
     * What files say, read now.
     *
     * @param lists digests and names, as {@code sha256sum} writes them
     * @param keys public keys in PEM, one or more in each file: ECDSA or RSA
     * @throws IOException if a file cannot be read, or is none; the message says which and what to do
     */
    public static PluginTrust read(List<Path> lists, List<Path> keys) throws IOException {
        if (lists.isEmpty() && keys.isEmpty()) {
            return ANY;
        }
        Set<String> digests = new HashSet<>();
        for (Path list : lists) {
            try {
                digests.addAll(DigestList.read(list).digests());
            } catch (IOException e) {
                throw new IOException(list + ": " + FileErrors.text(e), e);
            }
        }
        List<PublicKey> all = new ArrayList<>();
        for (Path file : keys) {
            try {
                all.addAll(Signatures.keys(Files.readString(file)));
            } catch (IOException e) {
                throw new IOException(file + ": " + FileErrors.text(e), e);
            }
        }
        return new PluginTrust(Optional.of(Set.copyOf(digests)), all);
    }

    /** @throws PluginRejectedException if the file may not be loaded */
    void require(Path source, String sha256) throws PluginRejectedException {
        if (digests.isEmpty() || digests.get().contains(sha256)) {
            return;
        }
        String file = source.getFileName().toString();
        Optional<Signatures.Detached> signature = keys.isEmpty() ? Optional.empty() : Signatures.beside(source);
        if (signature.isEmpty()) {
            throw new PluginRejectedException(PluginRejection.of(
                    file,
                    PluginRejectionCodes.NOT_ALLOWED,
                    "its SHA-256 digest " + sha256 + " is not on the allow list"
                            + (keys.isEmpty() ? "" : ", and there is no signature " + file + ".sig beside it"),
                    "verify where the file comes from, then add the digest to the list"
                            + (keys.isEmpty() ? "" : " or ask the vendor for the signature") + ", or remove the file"));
        }
        byte[] hash = HexFormat.of().parseHex(sha256);
        String given = signature.get().base64();
        if (keys.stream().noneMatch(key -> Signatures.verifies(key, hash, given))) {
            throw new PluginRejectedException(PluginRejection.of(
                    file,
                    PluginRejectionCodes.SIGNATURE_INVALID,
                    signature.get().file() + " is no signature of this file by one of the " + keys.size()
                            + " known keys",
                    "use file and signature of the same version, and the key that the vendor publishes; if they fit,"
                            + " do not use the file"));
        }
    }
}
