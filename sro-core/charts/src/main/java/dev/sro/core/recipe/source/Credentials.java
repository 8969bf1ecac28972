package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartRepository;
import dev.sro.api.resource.CredentialsSecret;
import dev.sro.core.model.FileErrors;
import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds out with what a repository is asked. What changes in Secrets and files counts from the next fetch on. Thread-safe. */
final class Credentials {

    private static final int MAX_FILE = 1 << 20;
    private static final List<String> KEYS = List.of("username", "password", "ca.crt", "tls.crt", "tls.key");
    private static final String FIELD = "spec.chart.repository.";

    private static final String FIX =
            " is readable for everybody who may read the special resource; put it into a Secret"
                    + " and name it in credentialsSecret";

    private final ClusterFiles files;

    Credentials(ClusterFiles files) {
        this.files = files;
    }

    /**
     * @param uri the repository's address
     * @param warnings gets what the user should know
     * @throws ChartException if something that is named is not there
     * @throws IOException if the Secret cannot be read now
     */
    RepositoryCredentials of(ChartRepository repository, URI uri, List<String> warnings) throws IOException {
        Map<String, byte[]> secret = secret(repository.getCredentialsSecret());
        String username = plain(repository.getUsername());
        String password = plain(repository.getPassword());
        if (!password.isEmpty()) {
            warnings.add(FIELD + "password" + FIX);
        }
        String info = uri.getUserInfo();
        if (info != null && !info.isEmpty()) {
            warnings.add(FIELD + "url: the login in it" + FIX);
            int colon = info.indexOf(':');
            username = username.isEmpty() ? colon < 0 ? info : info.substring(0, colon) : username;
            password = password.isEmpty() && colon >= 0 ? info.substring(colon + 1) : password;
        }
        if (secret.containsKey("username") || secret.containsKey("password")) {
            username = text(secret, "username").strip();
            // A line feed at the end comes from an editor.
            password = text(secret, "password").replaceFirst("[\\r\\n]+$", "");
        }
        boolean unchecked = Boolean.TRUE.equals(repository.getInsecureSkipTlsVerify());
        if (unchecked) {
            warnings.add(FIELD + "insecure_skip_tls_verify: whoever is between SRO and the repository can give it"
                    + " another chart; name the CA in credentialsSecret (ca.crt) or in caFile instead");
        }
        TlsSettings tls = new TlsSettings(
                secret.containsKey("ca.crt") ? text(secret, "ca.crt") : file("caFile", repository.getCaFile()),
                secret.containsKey("tls.crt") ? text(secret, "tls.crt") : file("certFile", repository.getCertFile()),
                secret.containsKey("tls.key") ? text(secret, "tls.key") : file("keyFile", repository.getKeyFile()),
                unchecked);
        RepositoryCredentials access = new RepositoryCredentials(username, password, tls);
        if (access.hasLogin() && "http".equalsIgnoreCase(uri.getScheme())) {
            warnings.add(FIELD + "url: the login is sent without encryption; use https");
        }
        return access;
    }

    private Map<String, byte[]> secret(@Nullable CredentialsSecret reference) throws IOException {
        if (reference == null) {
            return Map.of();
        }
        Map<String, byte[]> secret = files.secret(reference.getNamespace(), reference.getName())
                .orElseThrow(() -> invalid("credentialsSecret: there is no Secret " + reference.getName()
                        + " in namespace " + reference.getNamespace()));
        if (KEYS.stream().noneMatch(secret::containsKey)) {
            throw invalid("credentialsSecret: Secret " + reference.getName() + " in namespace "
                    + reference.getNamespace() + " has none of the keys " + String.join(", ", KEYS) + "; it has "
                    + RepositoryIndex.shown(List.copyOf(new TreeSet<>(secret.keySet()))));
        }
        return secret;
    }

    private static String text(Map<String, byte[]> secret, String key) {
        byte[] value = secret.get(key);
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    private static String file(String field, @Nullable String path) {
        if (path == null || path.isEmpty()) {
            return "";
        }
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return new String(in.readNBytes(MAX_FILE), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            throw invalid(field + ": " + path + " cannot be read in SRO's container: " + FileErrors.text(e));
        }
    }

    private static String plain(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }

    private static ChartException invalid(String message) {
        return new ChartException(Problem.user("InvalidChartCredentials", FIELD + message));
    }
}
