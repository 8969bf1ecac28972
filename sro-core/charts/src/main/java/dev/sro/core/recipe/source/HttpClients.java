package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How repositories are connected to: through the gate, with certificates of their own. What was made of certificates is kept, so that
 * connections of the same server are resumed. Thread-safe.
 */
public final class HttpClients {

    private static final int KEPT = 16;

    private final OutgoingGate gate;
    private final Map<TlsSettings, SSLSocketFactory> factories = new LinkedHashMap<>(KEPT, 0.75f, true);

    /** @param gate knows which servers may be asked, and through which proxies */
    public HttpClients(OutgoingGate gate) {
        this.gate = gate;
    }

    OutgoingGate gate() {
        return gate;
    }

    /** @throws ChartException if certificates or key cannot be used */
    synchronized SSLSocketFactory of(TlsSettings tls) {
        SSLSocketFactory known = factories.get(tls);
        if (known != null) {
            return known;
        }
        SSLSocketFactory made = context(tls).getSocketFactory();
        if (factories.size() >= KEPT) {
            factories.remove(factories.keySet().iterator().next());
        }
        factories.put(tls, made);
        return made;
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
        List<Certificate> chain = certificates("client certificate", tls.certificate());
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("client", key(tls, chain.get(0)), new char[0], chain.toArray(new Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static PrivateKey key(TlsSettings tls, Certificate certificate) {
        try {
            return Pem.key(tls.key(), certificate);
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
