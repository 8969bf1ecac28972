package dev.sro.testkit.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate for 127.0.0.1 that signs itself, made once by the JDK's own keytool and kept nowhere. */
final class LoopbackCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final long PATIENCE_SECONDS = 60;

    private static final class Holder {
        static final LoopbackCertificate MADE = make();
    }

    private final SSLContext context;
    private final String caBundle;

    private LoopbackCertificate(SSLContext context, String caBundle) {
        this.context = context;
        this.caBundle = caBundle;
    }

    static LoopbackCertificate get() {
        return Holder.MADE;
    }

    /** For a server with this certificate. */
    SSLContext context() {
        return context;
    }

    /** Base64 of the certificate in PEM: what a webhook configuration wants. */
    String caBundle() {
        return caBundle;
    }

    private static LoopbackCertificate make() {
        try {
            Path folder = Files.createTempDirectory("sro-certificate");
            Path store = folder.resolve("keys.p12");
            try {
                keytool(store);
                return read(store);
            } finally {
                Files.deleteIfExists(store);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a certificate", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot read the certificate that was made", e);
        }
    }

    private static void keytool(Path store) throws IOException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of(
                tool,
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1,dns:hooks.default.svc",
                "-ext",
                "bc=ca:true",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                store.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("keytool: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static LoopbackCertificate read(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        String pem = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getCertificate("a").getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        return new LoopbackCertificate(
                tls, Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
    }
}
