package dev.sro.core.recipe.source;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads certificates and keys as they are in files: PEM. Stateless. */
public final class Pem {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);

    /** RFC 8017 and RFC 5480: rsaEncryption with NULL, and id-ecPublicKey. */
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final byte[] VERSION_0 = {2, 1, 0};

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xa0;
    private static final int LONG_FORM = 0x80;
    private static final int BYTE = 0xff;

    private Pem() {}

    /** All certificates in the text; at least one. */
    public static List<Certificate> certificates(String text) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<Certificate> found = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).endsWith("CERTIFICATE")) {
                found.add(factory.generateCertificate(new ByteArrayInputStream(decode(matcher.group(2)))));
            }
        }
        if (found.isEmpty()) {
            throw new GeneralSecurityException("there is no BEGIN CERTIFICATE in it");
        }
        return found;
    }

    /**
     * The first key in the text: PKCS #8, or the older forms of RSA (PKCS #1) and EC (SEC 1).
     *
     * @param certificate whose it is, where that is known: an older form of EC may leave the name of its curve to it
     * @throws GeneralSecurityException if there is none, or it is of another algorithm than the certificate
     */
    public static PrivateKey key(String text, @Nullable Certificate certificate) throws GeneralSecurityException {
        PublicKey of = certificate == null ? null : certificate.getPublicKey();
        PrivateKey key = find(text, of);
        if (of != null && !key.getAlgorithm().equals(of.getAlgorithm())) {
            throw new InvalidKeySpecException(
                    "the key is of " + key.getAlgorithm() + ", and the certificate of " + of.getAlgorithm());
        }
        return key;
    }

    private static PrivateKey find(String text, @Nullable PublicKey of) throws GeneralSecurityException {
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            String kind = matcher.group(1);
            if (kind.equals("ENCRYPTED PRIVATE KEY")) {
                throw new InvalidKeySpecException("the key is encrypted; store it without a passphrase");
            }
            if (kind.endsWith("PRIVATE KEY")) {
                return read(kind, decode(matcher.group(2)), of);
            }
        }
        throw new InvalidKeySpecException("there is no BEGIN PRIVATE KEY in it");
    }

    private static PrivateKey read(String kind, byte[] content, @Nullable PublicKey of)
            throws GeneralSecurityException {
        return switch (kind) {
            case "PRIVATE KEY" -> ofAnyKind(content);
            case "RSA PRIVATE KEY" -> ofAnyKind(wrap(RSA, content));
            case "EC PRIVATE KEY" -> ofAnyKind(wrap(elliptic(content, of), content));
            default -> throw new InvalidKeySpecException("\"" + kind + "\" is neither RSA nor EC nor PKCS #8");
        };
    }

    /** The algorithm of an EC key: with the curve that it names, or as its certificate has it (the first part of RFC 5280's key info). */
    private static byte[] elliptic(byte[] key, @Nullable PublicKey of) throws InvalidKeySpecException {
        Optional<byte[]> curve = curve(key);
        if (curve.isPresent()) {
            return der(SEQUENCE, EC, curve.get());
        }
        if (of == null) {
            throw new InvalidKeySpecException("the key does not name its curve");
        }
        byte[] info = of.getEncoded();
        int start = content(info, 0);
        return Arrays.copyOfRange(info, start, content(info, start) + length(info, start));
    }

    private static byte[] decode(String base64) throws GeneralSecurityException {
        try {
            return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("what is between BEGIN and END is not base64", e);
        }
    }

    private static PrivateKey ofAnyKind(byte[] pkcs8) throws GeneralSecurityException {
        InvalidKeySpecException last = new InvalidKeySpecException("neither RSA nor EC nor Ed25519");
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                last.addSuppressed(e);
            }
        }
        throw last;
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
        return der(SEQUENCE, VERSION_0, algorithm, der(OCTETS, key));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < LONG_FORM) {
            out.write(length);
        } else {
            // Two bytes are enough for any key.
            out.write(LONG_FORM | 2);
            out.write(length >> Byte.SIZE);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    /** The curve's name in an EC key: in the sequence, after version and number, under tag 0. */
    private static Optional<byte[]> curve(byte[] key) throws InvalidKeySpecException {
        try {
            int at = content(key, 0);
            while (at < key.length) {
                int start = content(key, at);
                int end = start + length(key, at);
                if (end < start || end > key.length) {
                    break;
                }
                if ((key[at] & BYTE) == CURVE) {
                    return Optional.of(Arrays.copyOfRange(key, start, end));
                }
                at = end;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new InvalidKeySpecException("the key is cut off", e);
        }
        return Optional.empty();
    }

    private static int content(byte[] der, int at) {
        int first = der[at + 1] & BYTE;
        return at + 2 + (first < LONG_FORM ? 0 : first - LONG_FORM);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & BYTE;
        if (first < LONG_FORM) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < first - LONG_FORM; i++) {
            length = (length << Byte.SIZE) | (der[at + 2 + i] & BYTE);
        }
        return length;
    }
}
