package dev.sro.core.recipe.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that signs itself, with its key, made by the JDK's keytool. */
final class Certificates {

    private static final String ALIAS = "one";
    private static final String PASSWORD = "test-only";

    private final KeyStore store;

    private Certificates(KeyStore store) {
        this.store = store;
    }

    /** @param name in the certificate: DNS name of a server */
    static Certificates make(Path folder, String name) throws IOException, GeneralSecurityException {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name,
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        try {
            String out = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
                throw new IOException("keytool: " + out);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new Certificates(store);
    }

    String certificate() throws GeneralSecurityException {
        return pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
    }

    Key privateKey() throws GeneralSecurityException {
        return store.getKey(ALIAS, PASSWORD.toCharArray());
    }

    String key() throws GeneralSecurityException {
        return pem("PRIVATE KEY", privateKey().getEncoded());
    }

    static String pem(String what, byte[] content) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n";
    }

    /** For a server that has this certificate and trusts the other one. */
    SSLContext server(Certificates client) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        Certificate certificate = client.store.getCertificate(ALIAS);
        trusted.setCertificateEntry("client", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
