package dev.sro.runtime.operator;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate of one's own, made at the start and kept in memory alone: it hides a token from who listens, and proves nothing. X.509
 * version 3 by RFC 5280, with a key on P-256. Stateless.
 */
final class SelfSigned {

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int TEXT = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int VERSION = 0xa0;
    private static final int SHORT = 0x80;

    /** ecdsa-with-SHA256, RFC 5758. */
    private static final byte[] ALGORITHM = HexFormat.of().parseHex("300a06082a8648ce3d040302");

    /** commonName, RFC 5280. */
    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** As long as no process lives. */
    private static final Instant END = Instant.parse("2099-12-31T00:00:00Z");

    private SelfSigned() {}

    /**
     * What a server shows.
     *
     * @param name of the server
     * @param from when the certificate begins to hold
     * @throws IOException if the platform has no such keys
     */
    static SSLContext context(String name, Instant from) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "server", pair.getPrivate(), new char[0], new Certificate[] {certificate(pair, name, from)});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate can be made: " + e.getMessage(), e);
        }
    }

    static Certificate certificate(KeyPair pair, String name, Instant from) throws GeneralSecurityException {
        byte[] subject = tagged(
                SEQUENCE,
                tagged(
                        SET,
                        tagged(SEQUENCE, joined(COMMON_NAME, tagged(TEXT, name.getBytes(StandardCharsets.UTF_8))))));
        byte[] body = tagged(
                SEQUENCE,
                joined(
                        tagged(VERSION, tagged(INTEGER, new byte[] {2})),
                        tagged(
                                INTEGER,
                                new BigInteger(127, new SecureRandom())
                                        .add(BigInteger.ONE)
                                        .toByteArray()),
                        ALGORITHM,
                        subject,
                        tagged(SEQUENCE, joined(time(from), time(END))),
                        subject,
                        pair.getPublic().getEncoded()));
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(pair.getPrivate());
        signer.update(body);
        byte[] all = tagged(SEQUENCE, joined(body, ALGORITHM, tagged(BITS, joined(new byte[] {0}, signer.sign()))));
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(all));
    }

    private static byte[] time(Instant at) {
        return tagged(GENERALIZED_TIME, TIME.format(at).getBytes(StandardCharsets.US_ASCII));
    }

    /** With its length in front, as DER has it: up to 65,535 bytes. */
    private static byte[] tagged(int tag, byte[] content) {
        int length = content.length;
        if (length < SHORT) {
            return joined(new byte[] {(byte) tag, (byte) length}, content);
        }
        return length <= 0xff
                ? joined(new byte[] {(byte) tag, (byte) 0x81, (byte) length}, content)
                : joined(new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length}, content);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
