package dev.sro.core.recipe.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {

    private static PrivateKey generate(String algorithm) throws GeneralSecurityException {
        return KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void readsKeysOfTodaysForm(String algorithm) throws GeneralSecurityException {
        PrivateKey key = generate(algorithm);
        assertThat(Pem.key("words\n" + Certificates.pem("PRIVATE KEY", key.getEncoded()), null))
                .isEqualTo(key);
    }

    @Test
    void readsRsaKeysOfTheOlderForm() throws GeneralSecurityException {
        PrivateKey key = generate("RSA");
        // Version, algorithm and the head of the octets come before the older form: 26 bytes for 2048 bits.
        byte[] older = Arrays.copyOfRange(key.getEncoded(), 26, key.getEncoded().length);
        assertThat(Pem.key(Certificates.pem("RSA PRIVATE KEY", older), null)).isEqualTo(key);
    }

    /** SEC 1: version, number, and the name of the curve, with its public key or without. */
    @ParameterizedTest
    @CsvSource({"secp256r1, 32, 06082a8648ce3d030107", "secp384r1, 48, 06052b81040022", "secp521r1, 66, 06052b81040023"
    })
    void readsEcKeysOfTheOlderForm(String curve, int bytes, String name) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        ECPrivateKey key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
        byte[] number = new byte[bytes];
        byte[] digits = key.getS().toByteArray();
        int count = Math.min(bytes, digits.length);
        System.arraycopy(digits, digits.length - count, number, bytes - count, count);
        byte[] oid = HexFormat.of().parseHex(name);
        ByteArrayOutputStream der = new ByteArrayOutputStream();
        der.writeBytes(new byte[] {0x30, (byte) (3 + 2 + bytes + 2 + oid.length), 2, 1, 1, 4, (byte) bytes});
        der.writeBytes(number);
        der.writeBytes(new byte[] {(byte) 0xa0, (byte) oid.length});
        der.writeBytes(oid);
        ECPrivateKey read = (ECPrivateKey) Pem.key(Certificates.pem("EC PRIVATE KEY", der.toByteArray()), null);
        assertThat(read.getS()).isEqualTo(key.getS());
        assertThat(read.getParams().getOrder()).isEqualTo(key.getParams().getOrder());
    }

    @Test
    void anEcKeyThatNamesNoCurveHasThatOfItsCertificate(@TempDir Path folder)
            throws GeneralSecurityException, IOException {
        Certificates made = Certificates.make(folder, "a.example");
        Certificate certificate = Pem.certificates(made.certificate()).get(0);
        ECPrivateKey key = (ECPrivateKey) made.privateKey();
        byte[] digits = key.getS().toByteArray();
        ByteArrayOutputStream der = new ByteArrayOutputStream();
        der.writeBytes(new byte[] {0x30, (byte) (3 + 2 + digits.length), 2, 1, 1, 4, (byte) digits.length});
        der.writeBytes(digits);
        String pem = Certificates.pem("EC PRIVATE KEY", der.toByteArray());
        assertThatThrownBy(() -> Pem.key(pem, null)).hasMessage("the key does not name its curve");
        assertThat(((ECPrivateKey) Pem.key(pem, certificate)).getS()).isEqualTo(key.getS());
    }

    @Test
    void aKeyOfAnotherAlgorithmThanItsCertificateIsRefused(@TempDir Path folder)
            throws GeneralSecurityException, IOException {
        Certificate certificate = Pem.certificates(
                        Certificates.make(folder, "a.example").certificate())
                .get(0);
        String rsa = Certificates.pem("PRIVATE KEY", generate("RSA").getEncoded());
        assertThatThrownBy(() -> Pem.key(rsa, certificate)).hasMessage("the key is of RSA, and the certificate of EC");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\n\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMAMCAQE=\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMIP/////\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMA==\n-----END EC PRIVATE KEY-----",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
                "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----"
            })
    void whatIsNoKeyOrCertificateIsRefused(String text) {
        assertThatThrownBy(() -> Pem.key(text, null)).isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> Pem.certificates(text)).isInstanceOf(GeneralSecurityException.class);
    }
}
