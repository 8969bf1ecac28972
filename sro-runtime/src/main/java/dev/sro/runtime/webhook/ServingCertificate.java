package dev.sro.runtime.webhook;

import dev.sro.core.model.FileErrors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([^-]+)-----END \\1PRIVATE KEY-----");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final int SHORT_LENGTH = 0x80;
    private static final int BYTE = 0xff;

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
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.ISO_8859_1)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (chain.isEmpty()) {
                throw new GeneralSecurityException("there is no certificate in it");
            }
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
        Matcher found = KEY.matcher(pem);
        if (!found.find()) {
            throw new GeneralSecurityException(
                    "tls.key has no PEM block PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY");
        }
        byte[] der = Base64.getMimeDecoder().decode(found.group(2));
        byte[] pkcs8 = found.group(1).isEmpty() ? der : wrapped(der, certificate);
        return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    /** As PKCS #8 (RFC 5208): version, algorithm, and the key as it was. The algorithm with its curve is that of the certificate. */
    private static byte[] wrapped(byte[] key, X509Certificate certificate) {
        byte[] info = certificate.getPublicKey().getEncoded();
        byte[] algorithm = firstOf(info);
        byte[] octets = tagged(OCTETS, key);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(VERSION_0);
        all.writeBytes(algorithm);
        all.writeBytes(octets);
        return tagged(SEQUENCE, all.toByteArray());
    }

    /** The first element of a DER sequence, with its tag and length. */
    private static byte[] firstOf(byte[] der) {
        int start = contents(der, 0);
        int body = contents(der, start);
        return Arrays.copyOfRange(der, start, body + length(der, start));
    }

    private static int contents(byte[] der, int at) {
        int first = der[at + 1] & BYTE;
        return at + 2 + (first < SHORT_LENGTH ? 0 : first - SHORT_LENGTH);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & BYTE;
        if (first < SHORT_LENGTH) {
            return first;
        }
        int length = 0;
        for (int i = at + 2; i < contents(der, at); i++) {
            length = (length << Byte.SIZE) | (der[i] & BYTE);
        }
        return length;
    }

    private static byte[] tagged(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < SHORT_LENGTH) {
            out.write(content.length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + Byte.SIZE - 1) / Byte.SIZE;
            out.write(SHORT_LENGTH | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(content.length >>> (i * Byte.SIZE));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
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
