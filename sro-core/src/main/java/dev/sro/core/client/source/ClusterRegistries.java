package dev.sro.core.client.source;

import dev.sro.api.resource.CredentialsSecret;
import dev.sro.core.image.Mirrors;
import dev.sro.core.image.PullSecrets;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.source.ClusterFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a cluster reaches registries: mirrors from a file, logins from a Secret, and on OpenShift its pull secret and the CAs that
 * it trusts. Read anew each time. Thread-safe.
 */
public final class ClusterRegistries implements PreflightReconciler.Settings {

    /** Where container runtimes have it. */
    public static final Path REGISTRIES_CONF = Path.of("/etc/containers/registries.conf");

    private static final Logger LOG = LoggerFactory.getLogger(ClusterRegistries.class);

    private static final String CONFIG = "openshift-config";
    private static final String PULL_SECRET = "pull-secret";

    private final KubernetesClient client;
    private final ClusterFiles files;
    private final Path registriesConf;
    private final BooleanSupplier openShift;

    /**
     * @param client reads the Secrets, with verb get, by name
     * @param registriesConf the file with mirrors; it need not be there
     * @param openShift whether the cluster has OpenShift's configuration
     */
    public ClusterRegistries(KubernetesClient client, Path registriesConf, BooleanSupplier openShift) {
        this.client = client;
        this.files = new ClientFiles(client);
        this.registriesConf = registriesConf;
        this.openShift = openShift;
    }

    @Override
    public RegistrySettings read(@Nullable CredentialsSecret pullSecret) throws IOException {
        Mirrors mirrors = mirrors();
        if (pullSecret != null) {
            String name = "Secret " + pullSecret.getNamespace() + "/" + pullSecret.getName();
            Map<String, byte[]> secret = files.secret(pullSecret.getNamespace(), pullSecret.getName())
                    .orElseThrow(() -> new IOException("spec.pullSecret: there is no " + name));
            return new RegistrySettings(mirrors, logins(name, secret), "The login comes from " + name, authorities());
        }
        String hint = "Set spec.pullSecret to a Secret with a login for this registry";
        try {
            Optional<Map<String, byte[]>> secret =
                    openShift.getAsBoolean() ? files.secret(CONFIG, PULL_SECRET) : Optional.empty();
            if (secret.isPresent()) {
                String name = "Secret " + CONFIG + "/" + PULL_SECRET;
                return new RegistrySettings(
                        mirrors, logins(name, secret.get()), "The login comes from " + name, authorities());
            }
        } catch (IOException e) {
            // Without it there are still registries that want no login; where one wants it, this is said.
            hint = String.valueOf(e.getMessage());
        }
        return new RegistrySettings(mirrors, PullSecrets.NONE, hint, authorities());
    }

    /**
     * As it is now, with the logins of these Secrets over the cluster's own.
     *
     * @param pullSecrets names of Secrets in the namespace; the first that has a login for a registry counts
     * @throws IOException if one of them is not there or may not be read; the message says what to do
     */
    public RegistrySettings read(String namespace, List<String> pullSecrets) throws IOException {
        RegistrySettings own = read(null);
        PullSecrets logins = own.logins();
        for (int i = pullSecrets.size() - 1; i >= 0; i--) {
            String name = "Secret " + namespace + "/" + pullSecrets.get(i);
            Map<String, byte[]> secret = files.secret(namespace, pullSecrets.get(i))
                    .orElseThrow(() -> new IOException("there is no " + name
                            + ", which is to be pulled with; make it by" + " kubectl create secret docker-registry"));
            logins = logins(name, secret).over(logins);
        }
        return new RegistrySettings(
                own.mirrors(),
                logins,
                pullSecrets.isEmpty()
                        ? "Name a Secret with a login for this registry"
                        : "The login comes from the Secrets " + pullSecrets + " in namespace " + namespace,
                own.authorities());
    }

    private Mirrors mirrors() throws IOException {
        if (!Files.exists(registriesConf)) {
            return Mirrors.NONE;
        }
        try {
            return Mirrors.parse(registriesConf.toString(), Files.readString(registriesConf));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static PullSecrets logins(String name, Map<String, byte[]> secret) throws IOException {
        byte[] content = secret.getOrDefault(".dockerconfigjson", secret.get(".dockercfg"));
        if (content == null) {
            throw new IOException(name + " has neither .dockerconfigjson nor .dockercfg; make it by"
                    + " kubectl create secret docker-registry");
        }
        try {
            return PullSecrets.parse(name, new String(content, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What OpenShift trusts beyond what its machines do; what may not be read is left out. */
    private Map<String, String> authorities() {
        Map<String, String> authorities = new HashMap<>();
        if (!openShift.getAsBoolean()) {
            return authorities;
        }
        texts("user-ca-bundle").forEach((key, pem) -> {
            if (key.equals("ca-bundle.crt")) {
                authorities.put("", pem + "\n");
            }
        });
        String additional = additionalTrustedCa();
        if (!additional.isEmpty()) {
            // A key of a ConfigMap can have no colon: two dots are written for the one before the port.
            texts(additional).forEach((key, pem) -> authorities.put(key.replace("..", ":"), pem + "\n"));
        }
        return authorities;
    }

    private Map<String, String> texts(String configMap) {
        Map<String, String> texts = new HashMap<>();
        try {
            files.configMap(CONFIG, configMap)
                    .orElse(Map.of())
                    .forEach((key, bytes) -> texts.put(key, new String(bytes, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            LOG.atWarn().log("CAs of registries: {}", e.getMessage());
        }
        return texts;
    }

    private String additionalTrustedCa() {
        try {
            GenericKubernetesResource image = client.genericKubernetesResources("config.openshift.io/v1", "Image")
                    .withName("cluster")
                    .get();
            return image == null
                    ? ""
                    : ValueTrees.text(image.getAdditionalProperties(), "spec", "additionalTrustedCA", "name");
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("CAs of registries: {}", e.getMessage());
            return "";
        }
    }
}
