package dev.sro.testkit.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts certificates that a bundle signs and that are valid for one host name, whatever address the connection goes to: webhooks of
 * Services are reached elsewhere than under the Service's name.
 */
final class WebhookTrust extends X509ExtendedTrustManager {
    private static final int DNS = 2;
    private static final int IP = 7;

    /** Why a certificate is not trusted, in the words of the server. */
    static final class Rejected extends CertificateException {
        private static final long serialVersionUID = 1L;

        Rejected(String message) {
            super(message);
        }
    }

    private final X509TrustManager chain;
    private final String host;

    private WebhookTrust(X509TrustManager chain, String host) {
        this.chain = chain;
        this.host = host;
    }

    /**
     * A context for connections to one host.
     *
     * @param caBundle base64 of PEM certificates; the trust of this Java if it is empty
     * @throws GeneralSecurityException if the bundle has no certificate
     */
    static SSLContext context(String caBundle, String host) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(caBundle.isEmpty() ? null : roots(Base64.getMimeDecoder().decode(caBundle)));
        SSLContext context = SSLContext.getInstance("TLS");
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                context.init(null, new TrustManager[] {new WebhookTrust(x509, host)}, null);
                return context;
            }
        }
        throw new GeneralSecurityException("this Java verifies no X.509 certificates");
    }

    private static KeyStore roots(byte[] pem) throws GeneralSecurityException {
        if (!new String(pem, StandardCharsets.ISO_8859_1).contains("-----BEGIN CERTIFICATE-----")) {
            throw new CertificateException("no certificate");
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        int number = 0;
        for (Certificate c :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            store.setCertificateEntry("ca-" + number++, c);
        }
        return store;
    }

    private void check(X509Certificate[] certificates, String type) throws CertificateException {
        try {
            chain.checkServerTrusted(certificates, type);
        } catch (CertificateException e) {
            throw new Rejected("certificate signed by unknown authority");
        }
        boolean address = host.matches("[0-9.]+") || host.contains(":");
        List<String> names = names(certificates[0], address ? IP : DNS);
        if (names.stream().anyMatch(this::matches)) {
            return;
        }
        if (names.isEmpty()) {
            throw new Rejected(
                    address
                            ? "cannot validate certificate for " + host + " because it doesn't contain any IP SANs"
                            : "certificate is not valid for any names, but wanted to match " + host);
        }
        throw new Rejected("certificate is valid for " + String.join(", ", names) + ", not " + host);
    }

    private static List<String> names(X509Certificate certificate, int kind) throws CertificateException {
        List<String> names = new ArrayList<>();
        Collection<List<?>> all = certificate.getSubjectAlternativeNames();
        if (all != null) {
            for (List<?> name : all) {
                if (Integer.valueOf(kind).equals(name.get(0))) {
                    names.add(String.valueOf(name.get(1)));
                }
            }
        }
        return names;
    }

    private boolean matches(String name) {
        String wanted = host.toLowerCase(Locale.ROOT);
        String pattern = name.toLowerCase(Locale.ROOT);
        int dot = wanted.indexOf('.');
        return pattern.equals(wanted)
                || (pattern.startsWith("*.") && dot > 0 && pattern.substring(1).equals(wanted.substring(dot)));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String type) throws CertificateException {
        check(certificates, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String type, @Nullable Socket socket)
            throws CertificateException {
        check(certificates, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(certificates, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String type) throws CertificateException {
        chain.checkClientTrusted(certificates, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String type, @Nullable Socket socket)
            throws CertificateException {
        chain.checkClientTrusted(certificates, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        chain.checkClientTrusted(certificates, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chain.getAcceptedIssuers();
    }
}
