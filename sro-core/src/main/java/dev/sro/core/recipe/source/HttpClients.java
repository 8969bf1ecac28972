package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * HTTP clients for repositories, one for each set of certificates, made when first needed. Each has threads of its own, which end
 * when it is no longer used. Thread-safe.
 */
public final class HttpClients {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int KEPT = 16;

    private final UnaryOperator<HttpClient.Builder> setUp;
    private final Map<TlsSettings, HttpClient> clients = new LinkedHashMap<>(KEPT, 0.75f, true);

    /**
     * @param setUp changes each client before it is made: its proxy, its executor. Redirects and TLS are set afterwards
     */
    public HttpClients(UnaryOperator<HttpClient.Builder> setUp) {
        this.setUp = setUp;
    }

    /** @throws ChartException if certificates or key cannot be used */
    synchronized HttpClient of(TlsSettings tls) {
        HttpClient known = clients.get(tls);
        if (known != null) {
            return known;
        }
        HttpClient.Builder builder =
                setUp.apply(HttpClient.newBuilder().connectTimeout(CONNECT)).followRedirects(HttpClient.Redirect.NEVER);
        if (!tls.equals(TlsSettings.DEFAULT)) {
            builder.sslContext(context(tls));
        }
        HttpClient client = builder.build();
        if (clients.size() >= KEPT) {
            clients.remove(clients.keySet().iterator().next());
        }
        clients.put(tls, client);
        return client;
    }

    private static SSLContext context(TlsSettings tls) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(tls), trust(tls), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw invalid("certificates or key", e);
        }
    }

    private static KeyManager @Nullable [] keys(TlsSettings tls) throws GeneralSecurityException, IOException {
        if (tls.certificate().isEmpty() && tls.key().isEmpty()) {
            return null;
        }
        if (tls.certificate().isEmpty() || tls.key().isEmpty()) {
            throw invalid("client certificate", new GeneralSecurityException("certificate and key go together"));
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "client",
                key(tls),
                new char[0],
                certificates("client certificate", tls.certificate()).toArray(new Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static PrivateKey key(TlsSettings tls) {
        try {
            return Pem.key(tls.key());
        } catch (GeneralSecurityException e) {
            throw invalid("key of the client certificate", e);
        }
    }

    private static List<Certificate> certificates(String what, String pem) {
        try {
            return Pem.certificates(pem);
        } catch (GeneralSecurityException e) {
            throw invalid(what, e);
        }
    }

    private static TrustManager @Nullable [] trust(TlsSettings tls) throws GeneralSecurityException, IOException {
        if (tls.unchecked()) {
            return new TrustManager[] {new TrustAll()};
        }
        if (tls.authorities().isEmpty()) {
            return null;
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int count = 0;
        for (Certificate authority : certificates("CA certificate", tls.authorities())) {
            store.setCertificateEntry("ca-" + count++, authority);
        }
        if (tls.platformToo()) {
            for (Certificate authority : platform()) {
                store.setCertificateEntry("ca-" + count++, authority);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static List<Certificate> platform() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        List<Certificate> all = new ArrayList<>();
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager known) {
                all.addAll(List.of(known.getAcceptedIssuers()));
            }
        }
        return all;
    }

    private static ChartException invalid(String what, Exception e) {
        return new ChartException(Problem.user(
                "InvalidChartCredentials",
                "spec.chart.repository: the " + what + " cannot be used: " + e.getMessage()));
    }

    /** Of this class the platform does not check the name in the certificate either. */
    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
