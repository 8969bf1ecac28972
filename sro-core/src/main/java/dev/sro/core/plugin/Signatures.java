package dev.sro.core.plugin;

import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Detached signatures as {@code cosign sign-blob --key} makes them: over the SHA-256 of a file. Stateless. */
final class Signatures {

    private static final int MAX_BYTES = 1 << 20;
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\\s]+)-----END PUBLIC KEY-----");

    /** What stands before a SHA-256 in a signature by RSA, PKCS #1 v1.5: RFC 8017, 9.2, note 1. */
    private static final byte[] DIGEST_INFO = HexFormat.of().parseHex("3031300d060960864801650304020105000420");

    /**
     * A signature.
     *
     * @param file where it was, for messages
     */
    record Detached(String file, String base64) {}

    private Signatures() {}

    /** @throws IOException if there is no key, or one that cannot be used */
    static List<PublicKey> keys(String pem) throws IOException {
        List<PublicKey> keys = new ArrayList<>();
        Matcher matcher = KEY.matcher(pem);
        while (matcher.find()) {
            keys.add(key(Base64.getMimeDecoder().decode(matcher.group(1))));
        }
        if (keys.isEmpty()) {
            throw new IOException("has no BEGIN PUBLIC KEY; cosign generate-key-pair writes one to cosign.pub");
        }
        return keys;
    }

    private static PublicKey key(byte[] der) throws IOException {
        for (String algorithm : List.of("EC", "RSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(der));
            } catch (GeneralSecurityException e) {
                // The other one, then.
            }
        }
        throw new IOException("has a key that is neither ECDSA nor RSA; cosign's own keys are ECDSA");
    }

    /** The signature that is beside the file; an empty one where it cannot be read, as it is then not right. */
    static Optional<Detached> beside(Path source) {
        String name = source.getFileName().toString();
        Path plain = source.resolveSibling(name + ".sig");
        Path bundle = source.resolveSibling(name + ".sigstore.json");
        Path used = Files.exists(plain) ? plain : bundle;
        if (!Files.exists(used)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(used)) {
            String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            String base64 = used.equals(plain) ? text : ofBundle(used.toString(), text);
            return Optional.of(new Detached(used.getFileName().toString(), base64.strip()));
        } catch (IOException | YamlException e) {
            return Optional.of(new Detached(used.getFileName().toString(), ""));
        }
    }

    /** The bundle of sigstore 0.1 to 0.3, or what cosign called one before. */
    private static String ofBundle(String what, String json) {
        Map<String, Object> bundle = LenientYaml.map(what, json);
        if (bundle.get("messageSignature") instanceof Map<?, ?> message
                && message.get("signature") instanceof String text) {
            return text;
        }
        return bundle.get("base64Signature") instanceof String text ? text : "";
    }

    static boolean verifies(PublicKey key, byte[] sha256, String base64) {
        try {
            boolean rsa = key.getAlgorithm().equals("RSA");
            Signature verifier = Signature.getInstance(rsa ? "NONEwithRSA" : "NONEwithECDSA");
            verifier.initVerify(key);
            if (rsa) {
                verifier.update(DIGEST_INFO);
            }
            verifier.update(sha256);
            return verifier.verify(Base64.getDecoder().decode(base64));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }
}
