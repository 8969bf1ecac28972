package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.MetadataKeys;
import dev.sro.runtime.AnyCertificate;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.runtime.operator.rollout.Replica;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator with all plugins on a real API server, through everything that it can be asked for without OpenShift, with the rights that
 * {@code sro rbac} prints and no others: by the server's own log none was missing, and each was of use but for those of the list.
 */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES, Feature.RESTART})
class EveryRightClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String USER = "system:serviceaccount:" + RightsWorld.NAMESPACE + ":special-resource-operator";

    /** What no request can show, or only another cluster. */
    private static final List<String> UNUSED = List.of(
            // OpenShift has them.
            ".*\\.(build|config|image|security)\\.openshift\\.io .*",
            // Before Kubernetes 1.36, which has policies for it.
            "mutatingwebhookconfigurations\\.admissionregistration\\.k8s\\.io .*",
            // Asked by the admission of owner references, which is on here: without it objects would be refused.
            "\\w+\\.sro\\.openshift\\.io/finalizers update",
            // Asked when a role is bound.
            "clusterroles\\.rbac\\.authorization\\.k8s\\.io bind");

    @TempDir
    private Path folder;

    @Test
    void noneIsMissingAndEachIsOfUse(RealCluster shared) throws Exception {
        Path audit = folder.resolve("audit.log");
        Path policy = Files.writeString(folder.resolve("policy.yaml"), RightsLog.policy(USER));
        try (ControlPlane plane = ControlPlane.builder(shared.controlPlane().binaries())
                        .argument(Component.API_SERVER, "--audit-policy-file=" + policy)
                        .argument(Component.API_SERVER, "--audit-log-path=" + audit)
                        .argument(Component.API_SERVER, "--audit-log-mode=blocking-strict")
                        .argument(
                                Component.API_SERVER, "--enable-admission-plugins=OwnerReferencesPermissionEnforcement")
                        .start();
                RealCluster cluster = RealCluster.on(plane, "rights");
                EveryImage registry = new EveryImage()) {
            List<HasMetadata> access = RightsWorld.install(cluster, folder);
            SortedSet<String> passedOn = live(cluster, registry);
            RightsLog log = RightsLog.read(audit, USER);

            assertThat(log.refused())
                    .as("nothing was forbidden but Secrets, before they were granted by their names, and that an"
                            + " account of a recipe sees builds of SRO's own, which are then looked for by SRO's"
                            + " rights")
                    .isNotEmpty()
                    .allMatch(line -> line.matches("secrets (list (acme|ship)/(license|key|cert)|get acme/login): .*"
                            + "|system:serviceaccount:ship:sro-recipe: build\\w+\\.shipwright\\.io list ship/: .*"));
            assertThat(log.impersonated())
                    .isNotEmpty()
                    .allMatch(user -> user.matches("system:serviceaccount:[a-z]+:sro-recipe"));
            // What is bound to accounts of recipes is not the operator's.
            access.removeIf(object -> object.getMetadata().getName().equals(AccountManifests.ROLE));
            SortedSet<String> unused = GrantedRights.of(access);
            assertThat(log.used())
                    .as("what was granted besides, by name and for what a module watches")
                    .filteredOn(right -> !unused.contains(right))
                    .allMatch(right -> right.startsWith("secrets ") || right.startsWith("managedclusters."));
            unused.removeAll(log.used());
            unused.removeAll(passedOn);
            unused.removeIf(right -> right.equals("serviceaccounts impersonate"));
            assertThat(unused)
                    .as("rights that nothing needed")
                    .allMatch(right -> UNUSED.stream().anyMatch(right::matches));
        }
    }

    /** Everything; returns rights that the operator has only so that it may put them into roles. */
    private SortedSet<String> live(RealCluster cluster, EveryImage registry) throws Exception {
        KubernetesClient client = cluster.client();
        List<String> gpus = cluster.nodes()
                .create(
                        1,
                        NodeProfile.of(OsRelease.UBUNTU_22)
                                .withLabel("example.com/has", "gpu")
                                .withLabel("feature.node.kubernetes.io/pci-10de.present", "true")
                                .withResource("nvidia.com/gpu", "8"));
        cluster.nodes()
                .create(
                        2,
                        NodeProfile.of(OsRelease.UBUNTU_22)
                                .withLabel("example.com/has", "others")
                                // As Node Feature Discovery names Solarflare's adapters.
                                .withLabel("feature.node.kubernetes.io/pci-0200_1924.present", "true")
                                .withResource("amd.com/onload", "100")
                                .withResource("example.com/acme", "1"));
        registry.miss("/1");
        registry.miss("/never");
        int port = freePort();
        Path kubeconfig = ServiceAccountConfig.write(cluster, RightsWorld.NAMESPACE, folder.resolve("kubeconfig"));
        Replica replica = Replica.start(
                kubeconfig,
                folder.resolve("plugins"),
                folder.resolve("operator.log"),
                List.of("--outgoing=localhost", "--metrics-address=127.0.0.1:" + port));
        try {
            cluster.await("it leads", LIMIT, () -> leads(replica));
            askForMetrics(cluster, port);
            RightsWorld.secrets(client);
            String acme = RightsWorld.text("acme.yaml").replace("REGISTRY", registry.host());
            RightsWorld.apply(client, acme);
            cluster.await(
                    "Secrets are missed",
                    LIMIT,
                    () -> reason(client, "acme").equals("ImageAccessDenied")
                            && reason(client, "ship").equals("BuildInputNotReadable"));
            RightsWorld.grant(client, acme, folder);
            RightsWorld.apply(
                    client, RightsWorld.chart("parent", folder) + "---\n" + RightsWorld.chart("child", folder));
            RightsWorld.apply(client, RightsWorld.text("resources.yaml").replace("REGISTRY", registry.host()));
            RightsWorld.apply(client, RightsWorld.text("grants.yaml"));
            cluster.await(
                    "the grants are in force",
                    LIMIT,
                    () -> RightsWorld.may(client, USER, "cluster.open-cluster-management.io", "managedclusters"));
            RightsWorld.apply(
                    client,
                    RightsWorld.text("companions.yaml")
                            .replace("GPU_NODE", gpus.get(0))
                            .replace("REGISTRY", registry.host()));
            register(cluster);
            cluster.await("a build of acme", LIMIT, () -> !jobs(client).isEmpty());
            registry.push("/1");
            for (String name : List.of("kmod", "parent", "acme", "onload", "gpu")) {
                await(cluster, name, "Ready");
            }
            SortedSet<String> passedOn = GrantedRights.passedOn(client);
            passedOn.addAll(slices(cluster, registry));
            upgrade(cluster, registry, acme);
            companions(cluster);
            remove(cluster);
            return passedOn;
        } catch (AssertionError e) {
            throw new AssertionError(states(client) + Files.readString(replica.log()), e);
        } finally {
            replica.stop();
        }
    }

    private static boolean leads(Replica replica) {
        try {
            return Files.readString(replica.log()).contains(" leads ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** As Prometheus does, with a token; whether it may is for the API server to say. */
    private static void askForMetrics(RealCluster cluster, int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"))
                .header("Authorization", "Bearer " + ServiceAccountConfig.token(cluster, RightsWorld.NAMESPACE))
                .build();
        HttpResponse<String> answer = AnyCertificate.client().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(403);
    }

    private static List<Job> jobs(KubernetesClient client) {
        return client.batch().v1().jobs().inNamespace("acme").list().getItems();
    }

    /** As Shipwright's controller does. */
    private static void register(RealCluster cluster) {
        var builds = cluster.client()
                .genericKubernetesResources("shipwright.io/v1beta1", "Build")
                .inNamespace("ship");
        cluster.await("a Build", LIMIT, () -> !builds.list().getItems().isEmpty());
        builds.withName(builds.list().getItems().get(0).getMetadata().getName()).editStatus(build -> {
            build.setAdditionalProperty("status", Map.of("registered", "True", "reason", "Succeeded"));
            return build;
        });
        cluster.await(
                "a BuildRun",
                LIMIT,
                () -> !cluster.client()
                        .genericKubernetesResources("shipwright.io/v1beta1", "BuildRun")
                        .inNamespace("ship")
                        .list()
                        .getItems()
                        .isEmpty());
    }

    /** GPUs are offered as slices from now on; returns what is passed on to the agents. */
    private static SortedSet<String> slices(RealCluster cluster, EveryImage registry) throws IOException {
        KubernetesClient client = cluster.client();
        String resources = RightsWorld.text("resources.yaml").replace("REGISTRY", registry.host());
        RightsWorld.apply(
                client,
                resources.replace(
                        "config: {dra: {enabled: true}, dcgm: {enabled: true}}",
                        "config: {slices: {enabled: true, repository: registry.example, image: sro-agent, version:"
                                + " '1'}}"));
        cluster.await(
                "policies for agents",
                LIMIT,
                () -> !client.admissionRegistration()
                        .v1()
                        .validatingAdmissionPolicyBindings()
                        .withLabel(MetadataKeys.OWNED, "true")
                        .list()
                        .getItems()
                        .isEmpty());
        return GrantedRights.passedOn(client);
    }

    /** To another driver, under a pod that uses the device. */
    private static void upgrade(RealCluster cluster, EveryImage registry, String acme) {
        KubernetesClient client = cluster.client();
        registry.miss("/2");
        int before = jobs(client).size();
        cluster.await(
                "the device has a user",
                LIMIT,
                () -> "Running"
                        .equals(client.pods()
                                .inNamespace(RightsWorld.RECIPES)
                                .withName("user")
                                .get()
                                .getStatus()
                                .getPhase()));
        RightsWorld.apply(client, acme.replace("acme/driver:1", "acme/driver:2"));
        cluster.await("another build", LIMIT, () -> jobs(client).size() > before);
        registry.push("/2");
        cluster.await(
                "the user is evicted",
                LIMIT,
                () -> client.pods()
                                .inNamespace(RightsWorld.RECIPES)
                                .withName("user")
                                .get()
                        == null);
        cluster.await(
                "the other driver runs",
                LIMIT,
                () -> client.pods().inNamespace("acme").list().getItems().stream()
                                .filter(pod -> pod.getSpec()
                                        .getContainers()
                                        .get(0)
                                        .getImage()
                                        .endsWith(":2"))
                                .count()
                        == 2);
        await(cluster, "acme", "Ready");
    }

    /** What is no special resource is looked after, too. */
    private static void companions(RealCluster cluster) {
        for (String kind : List.of("PreflightValidation", "SpecialResourceModule")) {
            cluster.await(
                    kind + " has a status",
                    LIMIT,
                    () -> companions(cluster.client(), kind).stream()
                            .anyMatch(one -> one.getAdditionalProperties().get("status") != null));
        }
    }

    private static List<GenericKubernetesResource> companions(KubernetesClient client, String kind) {
        return client.genericKubernetesResources(SpecialResource.GROUP + "/v1beta1", kind)
                .list()
                .getItems();
    }

    private static void remove(RealCluster cluster) {
        KubernetesClient client = cluster.client();
        companions(client, "PreflightValidation")
                .forEach(one -> client.resource(one).delete());
        companions(client, "SpecialResourceModule")
                .forEach(one -> client.resource(one).delete());
        client.resources(SpecialResource.class).list().getItems().stream()
                .filter(one -> !one.getMetadata().getName().equals("child"))
                .forEach(one -> client.resource(one).delete());
        cluster.await(
                "all is gone",
                LIMIT,
                () -> client.resources(SpecialResource.class).list().getItems().isEmpty()
                        && companions(client, "SpecialResourceModule").isEmpty());
    }

    private static void await(RealCluster cluster, String name, String type) {
        cluster.await(
                name + " is " + type,
                LIMIT,
                () -> condition(cluster.client(), name, type)
                        .filter(found -> found.getStatus().equals("True"))
                        .isPresent());
    }

    private static String reason(KubernetesClient client, String name) {
        return condition(client, name, "Degraded").map(Condition::getReason).orElse("");
    }

    private static Optional<Condition> condition(KubernetesClient client, String name, String type) {
        SpecialResource found =
                client.resources(SpecialResource.class).withName(name).get();
        return found == null || found.getStatus() == null
                ? Optional.empty()
                : found.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .findFirst();
    }

    private static String states(KubernetesClient client) {
        StringBuilder text = new StringBuilder();
        for (SpecialResource resource :
                client.resources(SpecialResource.class).list().getItems()) {
            text.append(resource.getMetadata().getName())
                    .append(": ")
                    .append(
                            resource.getStatus() == null
                                    ? null
                                    : resource.getStatus().getConditions())
                    .append(
                            resource.getStatus() == null
                                    ? null
                                    : resource.getStatus().getStates())
                    .append('\n');
        }
        return text.toString();
    }
}
