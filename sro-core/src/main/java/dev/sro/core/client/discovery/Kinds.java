package dev.sro.core.client.discovery;

import dev.sro.api.ClusterFacts;
import dev.sro.core.model.ObjectRef;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds that an API server serves, by {@code group/version/Kind}. Immutable. */
public final class Kinds {

    private static final Logger LOG = LoggerFactory.getLogger(Kinds.class);

    private final Map<String, ResourceDefinitionContext> byKey;
    private final Set<String> unanswered;
    private final ClusterFacts facts;

    private Kinds(Map<String, ResourceDefinitionContext> byKey, Set<String> unanswered, String version) {
        this.byKey = Map.copyOf(byKey);
        this.unanswered = Set.copyOf(unanswered);
        this.facts = facts(byKey, version);
    }

    /**
     * Asks the API server: one request per group and version. A group that does not answer, as that of an aggregated API whose
     * server is down, counts as not served until it does; see {@link #unanswered}.
     */
    public static Kinds discover(KubernetesClient client) {
        Map<String, ResourceDefinitionContext> byKey = new HashMap<>();
        Set<String> unanswered = new HashSet<>();
        add(byKey, "", "v1", client.getApiResources("v1"));
        for (APIGroup group : client.getApiGroups().getGroups()) {
            for (GroupVersionForDiscovery version : group.getVersions()) {
                APIResourceList resources = resources(client, version.getGroupVersion());
                if (resources == null) {
                    unanswered.add(version.getGroupVersion());
                }
                add(byKey, group.getName(), version.getVersion(), resources);
            }
        }
        return new Kinds(byKey, unanswered, client.getKubernetesVersion().getGitVersion());
    }

    private static ClusterFacts facts(Map<String, ResourceDefinitionContext> byKey, String version) {
        Set<String> clusterScoped = new TreeSet<>();
        Set<String> resources = new TreeSet<>();
        byKey.forEach((key, context) -> {
            if (!context.getGroup().isEmpty()) {
                resources.add(context.getPlural() + "." + context.getGroup());
            }
            if (!context.isNamespaceScoped()) {
                clusterScoped.add(key);
            }
        });
        return ClusterFacts.builder()
                .kubernetesVersion(version)
                .addAllServedKinds(new TreeSet<>(byKey.keySet()))
                .addAllClusterScopedKinds(clusterScoped)
                .addAllServedResources(resources)
                .build();
    }

    /** Groups with a version ({@code group/version}) that are registered and did not answer. */
    Set<String> unanswered() {
        return unanswered;
    }

    /** With what was known before of groups that did not answer now. */
    Kinds orAsBefore(Kinds before) {
        if (unanswered.isEmpty()) {
            return this;
        }
        Map<String, ResourceDefinitionContext> both = new HashMap<>(byKey);
        before.byKey.forEach((key, context) -> {
            if (unanswered.contains(context.getGroup() + "/" + context.getVersion())) {
                both.put(key, context);
            }
        });
        return new Kinds(both, unanswered, facts.kubernetesVersion());
    }

    /** Whether the same is served, and the same did not answer. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Kinds kinds && facts.equals(kinds.facts) && unanswered.equals(kinds.unanswered);
    }

    @Override
    public int hashCode() {
        return facts.hashCode();
    }

    private static @Nullable APIResourceList resources(KubernetesClient client, String groupVersion) {
        try {
            return client.getApiResources(groupVersion);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_UNAVAILABLE) {
                throw e;
            }
            LOG.atWarn().log("{} does not answer and counts as not served: {}", groupVersion, e.getMessage());
            return null;
        }
    }

    private static void add(
            Map<String, ResourceDefinitionContext> byKey,
            String group,
            String version,
            @Nullable APIResourceList list) {
        if (list == null) {
            return;
        }
        String prefix = group.isEmpty() ? version : group + "/" + version;
        for (APIResource resource : list.getResources()) {
            if (!resource.getName().contains("/")) {
                byKey.put(
                        prefix + "/" + resource.getKind(),
                        new ResourceDefinitionContext.Builder()
                                .withGroup(group)
                                .withVersion(version)
                                .withKind(resource.getKind())
                                .withPlural(resource.getName())
                                .withNamespaced(Boolean.TRUE.equals(resource.getNamespaced()))
                                .build());
            }
        }
    }

    /** What recipes see of it. */
    public ClusterFacts facts() {
        return facts;
    }

    /** {@code plural.group} of an object, the plural alone for the core group; empty if its kind is not served. */
    public Optional<String> resource(ObjectRef ref) {
        return find(ref)
                .map(kind -> kind.getGroup().isEmpty() ? kind.getPlural() : kind.getPlural() + "." + kind.getGroup());
    }

    /** How a kind ({@code group/version/Kind}) is served; empty if it is not. */
    public Optional<ResourceDefinitionContext> context(String kindKey) {
        return find(kindKey);
    }

    public Optional<ResourceDefinitionContext> find(String kindKey) {
        return Optional.ofNullable(byKey.get(kindKey));
    }

    public Optional<ResourceDefinitionContext> find(ObjectRef ref) {
        return find(ref.kindKey());
    }
}
