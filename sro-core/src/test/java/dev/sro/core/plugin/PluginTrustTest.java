package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which plugin files are loaded where somebody says which may be. */
class PluginTrustTest {

    @TempDir
    Path root;

    private Hosts hosts;
    private Path list;
    private Path keys;

    @BeforeEach
    void directories() throws IOException {
        hosts = new Hosts(root);
        list = Files.writeString(root.resolve("allowed.sha256"), "");
        keys = root.resolve("keys.pem");
    }

    private static PluginTrust read(List<Path> lists, List<Path> keys) {
        try {
            return PluginTrust.read(lists, keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyPair pair(String algorithm, int bits) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private static String pem(KeyPair pair) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(pair.getPublic().getEncoded()) + "\n-----END PUBLIC KEY-----\n";
    }

    /** As cosign sign-blob does it: over the file, by the algorithm of the key with SHA-256, in base64. */
    private static String signature(KeyPair pair, Path file) throws GeneralSecurityException, IOException {
        boolean rsa = pair.getPrivate().getAlgorithm().equals("RSA");
        Signature signer = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
        signer.initSign(pair.getPrivate());
        signer.update(Files.readAllBytes(file));
        return Base64.getEncoder().encodeToString(signer.sign());
    }

    private static Optional<String> rejection(PluginHost host) {
        return host.rejections().stream().map(PluginRejection::code).findFirst();
    }

    @Test
    void anUnlistedFileIsRefusedUntilItIsListed() throws IOException {
        Path jar = PluginBuilder.named("acme").jar(hosts.plugins());
        try (PluginHost host = hosts.open(config -> config.trust(() -> read(List.of(list), List.of())))) {
            assertThat(host.names()).isEmpty();
            assertThat(rejection(host)).contains("PluginNotAllowed");
            assertThat(host.rejections().get(0).message()).contains(FileDigests.sha256(jar), "allow list");

            Files.writeString(list, FileDigests.sha256(jar) + "  whatever-its-name.jar\n");
            assertThat(host.rescan().names()).containsExactly("acme");
        }
    }

    @ParameterizedTest
    @CsvSource({"EC, 256, sig", "RSA, 2048, sig", "EC, 256, sigstore.json", "EC, 384, sig"})
    void aSignedFileIsLoaded(String algorithm, int bits, String form) throws Exception {
        KeyPair other = pair("EC", 256);
        KeyPair pair = pair(algorithm, bits);
        Files.writeString(keys, pem(other) + pem(pair));
        Path jar = PluginBuilder.named("acme").jar(hosts.plugins());
        String signature = signature(pair, jar);
        Files.writeString(
                jar.resolveSibling(jar.getFileName() + "." + form),
                form.equals("sig")
                        ? signature + "\n"
                        : "{\"mediaType\": \"application/vnd.dev.sigstore.bundle.v0.3+json\", \"messageSignature\":"
                                + " {\"messageDigest\": {\"algorithm\": \"SHA2_256\", \"digest\": \"x\"},"
                                + " \"signature\": \"" + signature + "\"}}");
        try (PluginHost host = hosts.open(config -> config.trust(() -> read(List.of(), List.of(keys))))) {
            assertThat(host.rejections()).isEmpty();
            assertThat(host.names()).containsExactly("acme");
        }
    }

    @ParameterizedTest
    @CsvSource({"another key", "another file", "garbage", "empty"})
    void aWrongSignatureIsRefused(String what) throws Exception {
        KeyPair pair = pair("EC", 256);
        Files.writeString(keys, pem(pair));
        Path jar = PluginBuilder.named("acme").jar(hosts.plugins());
        Path other = Files.writeString(root.resolve("other"), "x");
        Files.writeString(
                jar.resolveSibling(jar.getFileName() + ".sig"),
                switch (what) {
                    case "another key" -> signature(pair("EC", 256), jar);
                    case "another file" -> signature(pair, other);
                    case "garbage" -> "no base64!";
                    default -> "";
                });
        try (PluginHost host = hosts.open(config -> config.trust(() -> read(List.of(), List.of(keys))))) {
            assertThat(host.names()).isEmpty();
            assertThat(rejection(host)).contains("PluginSignatureInvalid");
        }
    }

    /** Made by the commands of docs/admins/plugins.md, with OpenSSL, of a file with the text "a plugin of acme" and an end of line. */
    @Test
    void aSignatureByOpenSslIsOne() throws IOException {
        String pem = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHiSNrN0FZde2VEuLqxMPbJh8KVWo
            Sj2kyAfysFzKzR7tChvVSd/eIFPjVNoERWk1Ynq/lVsBqfBpsjbbS9+YXw==
            -----END PUBLIC KEY-----
            """;
        byte[] sha256 = HexFormat.of().parseHex("8caf57148ab1e9e8d3839bcff57c40c85dea27a6c61270305e438e25d1040f28");
        String signature =
                "MEQCICVsrh4elt7K1y2o3o/dRc0ZAbWa0L8AaYM/dZ9G42e0AiAT9GL6ERb9OZhS" + "zK6jgFzOy+QW86rwIjen61ItIap89g==";
        assertThat(Signatures.keys(pem)).singleElement().satisfies(key -> {
            assertThat(Signatures.verifies(key, sha256, signature)).isTrue();
            sha256[0]++;
            assertThat(Signatures.verifies(key, sha256, signature)).isFalse();
        });
    }

    @Test
    void anUnsignedFileIsToldWhatIsMissing() throws Exception {
        Files.writeString(keys, pem(pair("EC", 256)));
        Path jar = PluginBuilder.named("acme").jar(hosts.plugins());
        try (PluginHost host = hosts.open(config -> config.trust(() -> read(List.of(), List.of(keys))))) {
            assertThat(rejection(host)).contains("PluginNotAllowed");
            assertThat(host.rejections().get(0).message()).contains(jar.getFileName() + ".sig");
        }
    }

    @Test
    void whatWasLoadedStaysWhileTheListCannotBeRead() throws IOException {
        Path jar = PluginBuilder.named("acme").jar(hosts.plugins());
        Files.writeString(list, FileDigests.sha256(jar) + "  acme.jar\n");
        try (PluginHost host = hosts.open(config -> config.trust(() -> read(List.of(list), List.of())))) {
            Files.writeString(list, "no digests");
            assertThat(host.rescan().names()).containsExactly("acme");
            assertThat(rejection(host)).contains("PluginTrustUnreadable");
            assertThat(host.rejections().get(0).message()).contains("allowed.sha256");
        }
    }

    @Test
    void aKeyThatIsNoneIsNamed() throws IOException {
        Files.writeString(keys, "ssh-rsa AAAA");
        assertThatThrownBy(() -> PluginTrust.read(List.of(), List.of(keys)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("keys.pem")
                .hasMessageContaining("BEGIN PUBLIC KEY");
    }

    @Test
    void furtherDirectoriesAreLookedAtAndAMissingOneStopsNobody() throws IOException {
        Path drop = Files.createDirectory(root.resolve("drop"));
        Path missing = root.resolve("missing");
        PluginBuilder.named("shipped").jar(hosts.plugins());
        try (PluginHost host = hosts.open(config -> config.furtherDirectories(List.of(drop, missing)))) {
            assertThat(host.names()).containsExactly("shipped");
            assertThat(rejection(host)).contains("PluginDirectoryUnreadable");
            Files.createDirectory(missing);
            PluginBuilder.named("dropped").jar(drop);
            assertThat(host.rescan().names()).containsExactly("dropped", "shipped");
            assertThat(host.rejections()).isEmpty();
        }
    }
}
