package dev.sro.testkit.contract;

import dev.sro.core.client.discovery.Kinds;
import dev.sro.core.manifest.AdminAccess;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.schema.BuiltinTypes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks objects against the schemas that an API server has for them: its own for built-in kinds, and those of CRDs given as files
 * for kinds of others. Strictly: a field that a schema does not have is an error, and so is a kind without a schema. Nothing is
 * stored but the CRDs and the namespaces of the objects.
 *
 * <p>{@link #of} asks the API server of the testkit, offline and in milliseconds; {@link #on} asks any other, such as that of
 * {@link dev.sro.testkit.controlplane.RealControlPlane} tests. The texts are those of an API server in both cases. Not
 * thread-safe.
 */
public final class ManifestSchemas implements AutoCloseable {

    private static final Duration ESTABLISHED = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final @Nullable EmbeddedCluster cluster;
    private final Set<String> custom = new HashSet<>();
    private final Set<String> unchecked = new HashSet<>();
    private Kinds kinds;

    private ManifestSchemas(
            KubernetesClient client, @Nullable EmbeddedCluster cluster, List<Path> files, Set<String> groups) {
        this.client = client;
        this.cluster = cluster;
        for (Path file : files) {
            CustomResourceDefinition definition = PublishedDefinitions.read(file, client.getKubernetesSerialization());
            if (groups.isEmpty() || groups.contains(definition.getSpec().getGroup())) {
                install(definition);
            }
        }
        settle();
        this.kinds = Kinds.discover(client);
    }

    /**
     * With the built-in kinds of the testkit's API server and the CRDs of a directory.
     *
     * @param crdDirectory its {@code *.yaml} files have a CRD each; other files are passed over
     * @param groups only CRDs of these API groups; all of them if none is named
     * @throws java.io.UncheckedIOException if the directory cannot be read
     */
    public static ManifestSchemas of(Path crdDirectory, String... groups) {
        EmbeddedCluster cluster = EmbeddedCluster.builder().build();
        return new ManifestSchemas(cluster.client(), cluster, PublishedDefinitions.files(crdDirectory), Set.of(groups));
    }

    /** With the built-in kinds of the testkit's API server only. */
    public static ManifestSchemas ofBuiltinKinds() {
        EmbeddedCluster cluster = EmbeddedCluster.builder().build();
        return new ManifestSchemas(cluster.client(), cluster, List.of(), Set.of());
    }

    /**
     * With the kinds of some API server, which gets the CRDs of the directory that it does not have yet, and keeps them.
     *
     * @param client may create CRDs, namespaces and objects; stays open
     * @param crdDirectory like that of {@link #of}
     * @param groups only CRDs of these API groups; all of them if none is named
     */
    public static ManifestSchemas on(KubernetesClient client, Path crdDirectory, String... groups) {
        return new ManifestSchemas(client, null, PublishedDefinitions.files(crdDirectory), Set.of(groups));
    }

    /**
     * Objects of these kinds are passed over: those that have no schema anywhere, such as OpenShift's BuildConfig, which an
     * API server of its own serves.
     *
     * @param kindKeys {@code group/version/Kind}
     */
    public ManifestSchemas passingOver(String... kindKeys) {
        unchecked.addAll(List.of(kindKeys));
        return this;
    }

    /** {@link #check} of each, with the object's kind and name before each error; empty when all is well. */
    public List<String> checkAll(Collection<? extends HasMetadata> objects) {
        List<String> errors = new ArrayList<>();
        for (HasMetadata object : objects) {
            String name = object.getKind() + " " + object.getMetadata().getName() + ": ";
            check(object).forEach(error -> errors.add(name + error));
        }
        return errors;
    }

    /** Whether there is a schema for objects of this kind. */
    public boolean knows(HasMetadata object) {
        return kinds.context(object.getApiVersion() + "/" + object.getKind())
                .filter(this::hasSchema)
                .isPresent();
    }

    /**
     * The answer of an API server to a new object.
     *
     * @return unknown fields first, then wrong values; empty when all is well
     */
    public List<String> check(HasMetadata object) {
        String key = object.getApiVersion() + "/" + object.getKind();
        if (unchecked.contains(key)) {
            return List.of();
        }
        Optional<ResourceDefinitionContext> kind = kinds.context(key);
        if (kind.isEmpty() || !hasSchema(kind.get())) {
            return List.of(key + " has no schema: give its CRD as a file, or pass it over");
        }
        String path = path(kind.get(), object);
        String body = client.getKubernetesSerialization().asJson(object);
        List<String> errors = new ArrayList<>();
        post(path + "&fieldValidation=Strict", body).ifPresent(errors::add);
        // What cannot be read strictly is not validated any further.
        if (!errors.isEmpty()) {
            post(path + "&fieldValidation=Ignore", body)
                    .filter(error -> !errors.contains(error))
                    .ifPresent(errors::add);
        }
        return errors;
    }

    private boolean hasSchema(ResourceDefinitionContext kind) {
        return cluster == null
                || custom.contains(kind.getPlural() + "." + kind.getGroup())
                || BuiltinTypes.known(kind.getGroup(), kind.getVersion(), kind.getKind());
    }

    private String path(ResourceDefinitionContext kind, HasMetadata object) {
        String root = kind.getGroup().isEmpty()
                ? "/api/" + kind.getVersion()
                : "/apis/" + kind.getGroup() + "/" + kind.getVersion();
        String query = "?dryRun=All";
        if (!kind.isNamespaceScoped()) {
            return root + "/" + kind.getPlural() + query;
        }
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "default");
        Namespace wanted = new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                // SRO puts it on the namespace of operands that ask for admin access.
                .addToLabels(AdminAccess.LABEL, "true")
                .endMetadata()
                .build();
        if (client.namespaces().withName(namespace).get() == null) {
            client.resource(wanted).create();
            settle();
        }
        return root + "/namespaces/" + namespace + "/" + kind.getPlural() + query;
    }

    private Optional<String> post(String path, String body) {
        try {
            client.raw(path, "POST", body);
            return Optional.empty();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                // There is such an object, and only one that could be stored gets as far as that.
                return Optional.empty();
            }
            String said = e.getStatus() == null ? null : e.getStatus().getMessage();
            return Optional.of(Objects.requireNonNullElse(said, String.valueOf(e.getMessage())));
        }
    }

    private void install(CustomResourceDefinition definition) {
        String name = definition.getMetadata().getName();
        custom.add(name);
        try {
            client.resource(definition).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
        settle();
        if (cluster == null) {
            client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .waitUntilCondition(ManifestSchemas::isEstablished, ESTABLISHED.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** What the compatibility kit checks with: the CRDs of the directory, and those of common kinds that it does not have. */
    static ManifestSchemas ofKit(Optional<Path> crdDirectory) {
        ManifestSchemas schemas =
                crdDirectory.map(directory -> of(directory)).orElseGet(ManifestSchemas::ofBuiltinKinds);
        CommonDefinitions.all().stream()
                .filter(definition ->
                        !schemas.custom.contains(definition.getMetadata().getName()))
                .forEach(schemas::install);
        schemas.kinds = Kinds.discover(schemas.client);
        return schemas;
    }

    private static boolean isEstablished(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .filter(condition -> "True".equals(condition.getStatus()))
                        .map(CustomResourceDefinitionCondition::getType)
                        .anyMatch("Established"::equals);
    }

    private void settle() {
        EmbeddedCluster mine = cluster;
        if (mine != null) {
            mine.settle();
        }
    }

    /** Closes the testkit's API server; leaves a client of the caller alone. */
    @Override
    public void close() {
        EmbeddedCluster mine = cluster;
        if (mine != null) {
            mine.close();
        }
    }
}
