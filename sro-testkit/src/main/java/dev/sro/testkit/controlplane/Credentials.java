package dev.sro.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who may talk to the API server: a token per component and one for the administrator, a kubeconfig for each, and the key pair that
 * signs the tokens of service accounts. The API server makes its certificate itself, in {@link #certificate}.
 */
final class Credentials {
    /** Users that an API server knows from its own bootstrap roles; KWOK and the tests are administrators. */
    private static final String TOKENS = """
            %s,sro-admin,sro-admin,"system:masters"
            %s,system:kube-controller-manager,sro-controllers
            %s,system:kube-scheduler,sro-scheduler
            %s,kwok,sro-kwok,"system:masters"
            """;

    private final RunDirectory directory;
    private final String admin = token();
    private final Map<Component, String> tokens = new EnumMap<>(Component.class);

    private Credentials(RunDirectory directory) {
        this.directory = directory;
        for (Component c : Set.of(Component.CONTROLLER_MANAGER, Component.SCHEDULER, Component.KWOK)) {
            tokens.put(c, token());
        }
    }

    /**
     * Makes them.
     *
     * @param users further lines of the file with tokens
     */
    static Credentials create(RunDirectory directory, int port, List<String> users) {
        Credentials made = new Credentials(directory);
        try {
            made.write(port, users);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the credentials of a control plane", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no RSA keys", e);
        }
        return made;
    }

    private static String token() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void write(int port, List<String> users) throws IOException, GeneralSecurityException {
        secret(
                "tokens.csv",
                TOKENS.formatted(
                                admin,
                                tokens.get(Component.CONTROLLER_MANAGER),
                                tokens.get(Component.SCHEDULER),
                                tokens.get(Component.KWOK))
                        + String.join("\n", users));
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        secret("service-accounts.key", pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
        secret("service-accounts.pub", pem("PUBLIC KEY", keys.getPublic().getEncoded()));
        Files.createDirectory(directory.resolve("certificates"));
        secret("admin.kubeconfig", kubeconfig(port, admin));
        for (Map.Entry<Component, String> e : tokens.entrySet()) {
            secret(e.getKey().program() + ".kubeconfig", kubeconfig(port, e.getValue()));
        }
    }

    /** The administrator's token. */
    String adminToken() {
        return admin;
    }

    Path adminKubeconfig() {
        return directory.resolve("admin.kubeconfig");
    }

    Path kubeconfig(Component component) {
        return directory.resolve(component.program() + ".kubeconfig");
    }

    Path tokens() {
        return directory.resolve("tokens.csv");
    }

    Path signingKey() {
        return directory.resolve("service-accounts.key");
    }

    Path verifyingKey() {
        return directory.resolve("service-accounts.pub");
    }

    /** Where the API server keeps the certificate that it makes when it starts first. */
    Path certificates() {
        return directory.resolve("certificates");
    }

    Path certificate() {
        return certificates().resolve("apiserver.crt");
    }

    Path certificateKey() {
        return certificates().resolve("apiserver.key");
    }

    private String kubeconfig(int port, String token) {
        return """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts:
                - name: test
                  context: {cluster: test, user: test}
                clusters:
                - name: test
                  cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}
                users:
                - name: test
                  user: {token: "%s"}
                """.formatted(port, certificate(), token);
    }

    private static String pem(String type, byte[] der) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }

    private void secret(String name, String text) throws IOException {
        OpenOption[] options = {StandardOpenOption.WRITE};
        Path file = Files.createFile(
                directory.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text, options);
    }
}
