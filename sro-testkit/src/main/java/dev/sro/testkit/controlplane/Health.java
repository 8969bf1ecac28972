package dev.sro.testkit.controlplane;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Waits until a process answers. */
final class Health {
    private static final long PAUSE_MILLIS = 50;
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final Duration limit;

    Health(Duration limit) {
        this.limit = limit;
    }

    /**
     * Waits for a certificate and its key. The key is written after the certificate: where it is, that one is complete.
     */
    void awaitCertificate(ServerProcess process, Path key) {
        await(process, () -> Files.isReadable(key) ? "" : key.getFileName() + " is not there");
    }

    /** Waits for status 200. */
    void await(ServerProcess process, HttpClient http, URI uri) {
        await(process, () -> fault(http, uri));
    }

    /**
     * Waits while a process lives.
     *
     * @param fault what is missing yet; empty when nothing is
     */
    void await(ServerProcess process, Supplier<String> fault) {
        long end = System.nanoTime() + limit.toNanos();
        for (String missing = fault.get(); !missing.isEmpty(); missing = fault.get()) {
            String program = process.component().program();
            if (!process.isAlive()) {
                throw new ControlPlaneException(program + " ended by itself:\n" + process.tail());
            }
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                throw new ControlPlaneException(
                        program + ": waited " + limit.toSeconds() + " s, " + missing + ":\n" + process.tail());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
    }

    private static String fault(HttpClient http, URI uri) {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER).build();
            int status =
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status == 200 ? "" : uri + " answers " + status;
        } catch (IOException e) {
            return uri + " does not answer, " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** A client that trusts the certificates in a file. */
    static HttpClient client(Path certificates) {
        try (InputStream in = Files.newInputStream(certificates)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("c" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return HttpClient.newBuilder()
                    // Go's servers end HTTP/2 connections of strangers with GOAWAY, which Java 17 takes for an error.
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(context)
                    .connectTimeout(ANSWER)
                    .build();
        } catch (IOException | GeneralSecurityException e) {
            throw new ControlPlaneException("cannot use the certificate " + certificates, e);
        }
    }
}
