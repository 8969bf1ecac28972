package dev.sro.runtime.webhook;

import dev.sro.core.model.FileErrors;
import dev.sro.core.recipe.source.Pem;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a server, from {@code tls.crt} and {@code tls.key} in a folder, as a Secret of type {@code kubernetes.io/tls} is
 * mounted. It is read again on {@link #reload}; connections that are open keep theirs. Keys are PEM: PKCS #8, or PKCS #1 (RSA) or SEC 1
 * (EC), as cert-manager and OpenShift write them. Thread-safe.
 */
public final class ServingCertificate extends X509ExtendedKeyManager {

    private static final String ALIAS = "webhook";

    private record Pair(String certificate, String key, List<X509Certificate> chain, PrivateKey decoded) {}

    private final Path folder;
    private volatile @Nullable Pair current;
    private volatile String fault = "not read yet";

    /** Of this folder, which is read at once; see {@link #fault}. */
    public ServingCertificate(Path folder) {
        this.folder = folder;
        reload();
    }

    /** Why the files could not be used when they were last read, which leaves the certificate before them in place; empty when they could. */
    public String fault() {
        return fault;
    }

    /** Whether there is a certificate at all. */
    public boolean isThere() {
        return current != null;
    }

    /**
     * Reads the files again.
     *
     * @return whether the certificate is another one now
     */
    public synchronized boolean reload() {
        try {
            String certificate = Files.readString(folder.resolve("tls.crt"), StandardCharsets.ISO_8859_1);
            String key = Files.readString(folder.resolve("tls.key"), StandardCharsets.ISO_8859_1);
            Pair known = current;
            if (known != null && known.certificate.equals(certificate) && known.key.equals(key)) {
                fault = "";
                return false;
            }
            List<X509Certificate> chain = Pem.certificates(certificate).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            current = new Pair(certificate, key, chain, key(key, chain.get(0)));
            fault = "";
            return true;
        } catch (IOException e) {
            fault = "tls.crt and tls.key in " + folder + " cannot be read (" + FileErrors.text(e) + ")";
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            fault = "tls.crt and tls.key in " + folder + " are no certificate with its key: " + e.getMessage();
        }
        return false;
    }

    private static PrivateKey key(String pem, X509Certificate certificate) throws GeneralSecurityException {
        try {
            return Pem.key(pem, certificate);
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException("tls.key: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    private @Nullable String alias(String keyType) {
        Pair pair = current;
        return pair != null && pair.decoded.getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Pair pair = current;
        return pair == null ? null : pair.chain.toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Pair pair = current;
        return pair == null ? null : pair.decoded;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
