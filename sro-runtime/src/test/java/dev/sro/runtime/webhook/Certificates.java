package dev.sro.runtime.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Certificates of localhost, by the JDK's keytool, in the files of a Secret. */
public final class Certificates {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private Certificates() {}

    /**
     * Writes a new pair.
     *
     * @param algorithm RSA or EC
     * @param wrapped whether the key is PKCS #8; otherwise as it is within that: PKCS #1 or SEC 1
     */
    public static Certificate write(Path folder, String algorithm, boolean wrapped) throws Exception {
        Path store = folder.resolve("store-" + System.nanoTime());
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        String.valueOf(PASSWORD)))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
        KeyStore keys = load(store);
        Files.delete(store);
        Certificate certificate = keys.getCertificate("a");
        byte[] key = keys.getKey("a", PASSWORD).getEncoded();
        String kind = wrapped ? "" : algorithm + " ";
        Files.writeString(folder.resolve("tls.crt"), pem("CERTIFICATE", certificate.getEncoded()));
        Files.writeString(folder.resolve("tls.key"), pem(kind + "PRIVATE KEY", wrapped ? key : inner(key)));
        return certificate;
    }

    private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + kind
                + "-----\n";
    }

    /** The octets in {@code SEQUENCE {INTEGER, SEQUENCE, OCTET STRING}}. */
    private static byte[] inner(byte[] pkcs8) {
        int at = header(pkcs8, 0);
        for (int i = 0; i < 2; i++) {
            at = end(pkcs8, at);
        }
        return Arrays.copyOfRange(pkcs8, header(pkcs8, at), end(pkcs8, at));
    }

    private static int header(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        return at + 2 + (length < 0x80 ? 0 : length - 0x80);
    }

    private static int end(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        int contents = header(der, at);
        if (length >= 0x80) {
            length = 0;
            for (int i = at + 2; i < contents; i++) {
                length = (length << 8) | (der[i] & 0xff);
            }
        }
        return contents + length;
    }
}
