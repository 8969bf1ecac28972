package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.OperatorLease;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator on a real API server with nothing but the rights that {@code sro manifests} gives it. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class OperatorClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern REQUESTS =
            Pattern.compile("sro_api_requests_total\\{code=\"(\\w+)\",resource=\"([^\"]*)\",verb=\"(\\w+)\"}.*");

    /** What only another cluster needs: OpenShift, or one that polices owner references; or another recipe. Leases have a client of their own. */
    private static final List<String> UNUSED = List.of(
            ".*\\.(build|config|image|security)\\.openshift\\.io .*",
            "role(binding)?s\\.rbac\\.authorization\\.k8s\\.io .*",
            "specialresources\\.sro\\.openshift\\.io/finalizers update",
            // Their definitions are not installed there.
            "(preflightvalidations|specialresourcemodules)\\.sro\\.openshift\\.io.*",
            "pods/log get",
            // No recipe there but that of a plugin: RecipeRightsClusterTest.
            "serviceaccounts impersonate",
            "clusterroles\\.rbac\\.authorization\\.k8s\\.io bind",
            // Alerts of simple-kmod are off unless asked for.
            "prometheusrules\\.monitoring\\.coreos\\.com .*",
            // Node Feature Discovery is not there.
            "nodefeatures\\.nfd\\.k8s-sigs\\.io (list|watch)",
            // No driver is upgraded there.
            "pods delete",
            "pods/eviction create",
            "configmaps (get|list|watch|create|patch|delete)",
            // Nothing is partitioned there.
            "priorityclasses\\.scheduling\\.k8s\\.io .*",
            "mutating\\w+\\.admissionregistration\\.k8s\\.io .*",
            "resourceclaim\\w+\\.resource\\.k8s\\.io (get|list|watch)",
            // Metrics are for everybody there.
            "(tokenreviews|subjectaccessreviews)\\..* create",
            // No special resource there depends on another.
            "specialresources\\.sro\\.openshift\\.io (get|create|delete)",
            "leases\\.coordination\\.k8s\\.io .*");

    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void itsRightsAreEnoughAndAllAreUsed(RealCluster cluster) throws Exception {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        List<HasMetadata> access = new ArrayList<>(ClusterSettings.install(cluster, plugins));
        String namespace = cluster.namespace();
        String name = "kmod-" + namespace.substring(namespace.length() - 8);
        cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        Path kubeconfig = ServiceAccountConfig.write(cluster, namespace, folder.resolve("kubeconfig"));
        SortedSet<String> used;
        try (OperatorRun run = OperatorRun.start(settings(kubeconfig, namespace, plugins), ClusterSettings.logs())) {
            apply(cluster, name);
            cluster.await("the special resource is ready", LIMIT, () -> isReady(cluster, name));
            cluster.client().resources(SpecialResource.class).withName(name).delete();
            cluster.await(
                    "it is gone",
                    LIMIT,
                    () -> cluster.client()
                                    .resources(SpecialResource.class)
                                    .withName(name)
                                    .get()
                            == null);
            used = used(run);
        } finally {
            access.forEach(object -> cluster.client().resource(object).delete());
        }

        assertThat(used).as("what was refused").noneMatch(line -> line.startsWith("403"));
        // What is bound to accounts of recipes is not the operator's.
        access.removeIf(object -> object.getMetadata().getName().equals(AccountManifests.ROLE));
        SortedSet<String> granted = granted(access);
        assertThat(granted).containsAll(used);
        granted.removeAll(used);
        assertThat(granted)
                .as("rights that nothing here needed")
                .allMatch(right -> UNUSED.stream().anyMatch(right::matches));
    }

    private static OperatorSettings settings(Path kubeconfig, String namespace, Path plugins) {
        return ClusterSettings.of(
                kubeconfig,
                plugins,
                Optional.of(
                        new OperatorSettings.Election(Optional.of(namespace), OperatorLease.of(OperatorCommand.LEASE))),
                Optional.empty());
    }

    private static void apply(RealCluster cluster, String name) {
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                            apiVersion: sro.openshift.io/v1beta1
                            kind: SpecialResource
                            metadata: {name: "%1$s"}
                            spec:
                              namespace: "%1$s-operands"
                              plugin: {name: simple-kmod}
                              nodeSelector: {testkit.sro.dev/test: "%2$s"}
                              driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
                            """.formatted(name, cluster.namespace()), SpecialResource.class))
                .serverSideApply();
    }

    private static boolean isReady(RealCluster cluster, String name) {
        SpecialResource found =
                cluster.client().resources(SpecialResource.class).withName(name).get();
        return found.getStatus() != null
                && found.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    /** {@code resource verb} of each request; a patch that made an object needed the right to create too. */
    private static SortedSet<String> used(OperatorRun run) throws Exception {
        URI metrics = URI.create("http://127.0.0.1:" + run.port().orElseThrow() + "/metrics");
        String text = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        SortedSet<String> used = new TreeSet<>();
        for (Matcher line = REQUESTS.matcher(text); line.find(); ) {
            if (line.group(2).isEmpty()) {
                continue;
            }
            String call = line.group(2) + " " + line.group(3);
            used.add(line.group(1).equals("403") ? "403 " + call : call);
            if (line.group(1).equals("201")) {
                used.add(line.group(2) + " create");
            }
        }
        return used;
    }

    private static SortedSet<String> granted(List<HasMetadata> access) {
        SortedSet<String> granted = new TreeSet<>();
        for (HasMetadata object : access) {
            List<PolicyRule> rules = object instanceof ClusterRole role
                    ? role.getRules()
                    : object instanceof Role role ? role.getRules() : List.of();
            for (PolicyRule rule : rules) {
                String group = rule.getApiGroups().get(0);
                for (String resource : rule.getResources()) {
                    int slash = resource.indexOf('/');
                    String plural = slash < 0 ? resource : resource.substring(0, slash);
                    String full = plural
                            + (group.isEmpty() ? "" : "." + group)
                            + (slash < 0 ? "" : resource.substring(slash));
                    rule.getVerbs().forEach(verb -> granted.add(full + " " + verb));
                }
            }
        }
        return granted;
    }
}
