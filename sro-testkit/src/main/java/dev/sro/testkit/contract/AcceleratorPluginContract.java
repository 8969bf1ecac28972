package dev.sro.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.discovery.Kinds;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every plugin. Extend it with a plugin, a special resource and nodes, and JUnit runs all of it:
 *
 * <pre>{@code
 * class AcmePluginContractTest extends AcceleratorPluginContract {
 *     protected AcceleratorPlugin plugin() { return new AcmePlugin(); }
 *     protected String specialResource() { return "..."; }
 *     protected Map<String, NodeProfile> nodes() {
 *         return Map.of("a", NodeProfile.of(OsRelease.RHEL_9).withPci("0200", "1bcd", "0001"));
 *     }
 * }
 * }</pre>
 *
 * <p>Each test has a cluster of its own, in the JVM and in virtual time. JUnit makes an instance per test.
 */
public abstract class AcceleratorPluginContract {

    private static final Duration STEP = Duration.ofSeconds(10);

    private static final int STEPS = 360;

    private static final Pattern OPENSHIFT = Pattern.compile("[a-z.]+\\.openshift\\.io/");

    /** Leaves of a {@code kind-of-objects × anything} list that no test cluster has on its own. */
    private static final List<Gvr> LEFT_OVERS =
            List.of(Gvr.DAEMONSETS, Gvr.DEPLOYMENTS, Gvr.JOBS, Gvr.PODS, Gvr.CONFIGMAPS, Gvr.SERVICEACCOUNTS);

    /** For subclasses. */
    protected AcceleratorPluginContract() {}

    /** A new plugin object on each call. */
    protected abstract AcceleratorPlugin plugin();

    /** YAML of a special resource for the plugin that gets Ready on the {@link #nodes()}. */
    protected abstract String specialResource();

    /** Nodes with the device, by name; at least one. */
    protected abstract Map<String, NodeProfile> nodes();

    /** Whether the cluster serves OpenShift's APIs. */
    protected boolean openShift() {
        return false;
    }

    /**
     * The cluster of each test, before nodes and controllers are in it: for controllers that take part, such as
     * {@code EmbeddedCluster.builder().controller(SimOperands…)}. A new one on each call.
     */
    protected EmbeddedCluster.Builder cluster() {
        return EmbeddedCluster.builder();
    }

    /**
     * Brings the cluster to where the plugin expects it: CRDs, images that do not exist ({@code sandbox.registry()}), a controller's
     * objects. What {@link #crds()} define and the plugin's descriptor names is served already.
     */
    protected void prepare(SroSandbox sandbox) {}

    /**
     * A directory with CRDs of other projects whose objects the plugin makes, a {@code .yaml} file each, as these projects publish
     * them: see {@link ManifestSchemas#of}. Those that the plugin's descriptor names, also as optional, are served in the clusters of
     * all tests. So are ServiceMonitor, PodMonitor, PrometheusRule and NodeFeatureRule, which the kit has; a CRD of them here takes the
     * place of the kit's. A kind of which there is neither a CRD nor a name in {@link #unchecked()} fails the check of schemas.
     */
    protected Optional<Path> crds() {
        return Optional.empty();
    }

    /**
     * Kinds whose objects nobody checks, as no schema of them is at hand: {@code group/version/Kind} each. A kind of which there is one
     * is checked all the same.
     */
    protected Set<String> unchecked() {
        return Set.of();
    }

    /**
     * Stands in for controllers that are not simulated: called every ten seconds of virtual time while the special
     * resource is on its way, with the administrator's client at hand.
     */
    protected void simulate(SroSandbox sandbox) {}

    /**
     * Further configurations of the plugin, beside that of this test. Which objects and roles there are depends on settings, so only
     * all of them together use all the rights that the descriptor declares; one list for all tests of a plugin will do.
     */
    protected List<ContractProfile> profiles() {
        return List.of();
    }

    /**
     * Rules of {@link PluginDescriptor#rbacRules()} that no role among the manifests grants, and that are needed: for instance what
     * a role of somebody else grants that a binding among the manifests refers to.
     */
    protected List<PolicyRule> otherRights() {
        return List.of();
    }

    private ContractProfile own() {
        return new ContractProfile("of this test", specialResource(), nodes(), openShift(), this::prepare);
    }

    private SroSandbox sandbox() {
        return sandbox(own());
    }

    private SroSandbox sandbox(ContractProfile profile) {
        SroSandbox sandbox = SroSandbox.create(cluster().openShift(profile.openShift()), Plugins.of(plugin()));
        crds().ifPresent(published ->
                PublishedDefinitions.in(published, plugin().descriptor()).forEach(sandbox::define));
        CommonDefinitions.of(plugin().descriptor()).forEach(sandbox::define);
        profile.nodes().forEach(sandbox.nodes()::create);
        profile.prepare().accept(sandbox);
        sandbox.run(Duration.ofMinutes(2));
        return sandbox;
    }

    private void getReady(SroSandbox sandbox) {
        String name = sandbox.apply(specialResource()).getMetadata().getName();
        for (int i = 0; i < STEPS && !sandbox.isReady(name); i++) {
            simulate(sandbox);
            sandbox.run(STEP);
        }
        assertTrue(sandbox.isReady(name), () -> "not Ready after an hour: " + sandbox.explain(name));
    }

    @Test
    void describesItselfTheSameWayEachTime() {
        PluginDescriptor first = plugin().descriptor();

        assertEquals(first, plugin().descriptor(), "descriptor() of two objects");
        assertTrue(!first.vendor().isBlank(), "PluginDescriptor.vendor: name the vendor, for messages");
    }

    @Test
    void equalInputGivesEqualOutput() {
        try (SroSandbox sandbox = sandbox()) {
            ContractCluster cluster = new ContractCluster(sandbox, specialResource());
            AcceleratorPlugin plugin = plugin();
            AcceleratorPlugin other = plugin();
            Object first =
                    PluginAnswers.collect(plugin, cluster.context(plugin), cluster.pools(plugin), cluster.nodes());

            assertEquals(
                    first,
                    PluginAnswers.collect(plugin, cluster.context(plugin), cluster.pools(plugin), cluster.nodes()),
                    "answers of one object, asked twice");
            assertEquals(
                    first,
                    PluginAnswers.collect(other, cluster.context(other), cluster.pools(other), cluster.nodes()),
                    "answers of two objects");
        }
    }

    @Test
    void noNodeMakesItThrow() {
        try (SroSandbox sandbox = sandbox()) {
            ContractCluster cluster = new ContractCluster(sandbox, specialResource());
            AcceleratorPlugin plugin = plugin();

            Map<String, Object> answers = PluginAnswers.collect(
                    plugin, cluster.context(plugin), cluster.pools(plugin, UnusualNodes.all()), UnusualNodes.all());

            assertTrue(answers.containsKey("states()"));
        }
    }

    @Test
    void saysThatANameIsTooLongBeforeAnythingIsWritten() {
        try (SroSandbox sandbox = sandbox()) {
            ContractCluster cluster = new ContractCluster(sandbox, specialResource()).named("n".repeat(63));

            assertEquals(
                    Set.of(),
                    cluster.problems(plugin()).stream()
                            .filter(problem -> problem.owner() != Problem.Owner.USER)
                            .collect(Collectors.toSet()),
                    "problems of a special resource with a long name that are not the user's");
        }
    }

    @Test
    void manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded() {
        try (SroSandbox sandbox = sandbox()) {
            ContractCluster cluster = new ContractCluster(sandbox, specialResource());

            Kinds kinds = Kinds.discover(sandbox.client());

            assertNotEquals(0, cluster.pools(plugin()).size(), "pools: nodes() has to have a node with the device");
            assertEquals(
                    List.of(),
                    ManifestRules.brokenBy(
                            cluster.rendered(plugin()),
                            plugin().descriptor(),
                            cluster.recipe(plugin()).monitoring(),
                            kinds::resource));
        }
    }

    @Test
    void declaresTheRightsThatItUsesAndNoOthers() {
        DeclaredRights rights = new DeclaredRights(plugin().descriptor(), otherRights());
        List<ContractProfile> all = new ArrayList<>(profiles());
        all.add(own());
        for (ContractProfile profile : all) {
            try (SroSandbox sandbox = sandbox(profile)) {
                ContractCluster cluster = new ContractCluster(sandbox, profile.specialResource());
                Kinds kinds = Kinds.discover(sandbox.client());
                rights.add(profile.name(), cluster.renderedWithRuntime(plugin()), kinds::resource);
            }
        }

        assertEquals(List.of(), rights.differences(), "rights of PluginDescriptor and what the manifests use");
    }

    @Test
    void manifestsFitTheSchemasOfTheirKinds() {
        try (SroSandbox sandbox = sandbox();
                ManifestSchemas schemas = ManifestSchemas.ofKit(crds())) {
            List<GenericKubernetesResource> objects =
                    RenderedPlugin.objects(new ContractCluster(sandbox, specialResource()).rendered(plugin()));
            List<GenericKubernetesResource> known =
                    objects.stream().filter(schemas::knows).toList();

            assertEquals(List.of(), schemas.checkAll(known), "what an API server does not accept");
            assertEquals(List.of(), withoutSchema(objects, known), "kinds whose fields nobody has looked at");
        }
    }

    /** OpenShift's own API servers publish no definitions. */
    private List<String> withoutSchema(List<GenericKubernetesResource> objects, List<GenericKubernetesResource> known) {
        return objects.stream()
                .filter(object -> !known.contains(object))
                .map(object -> object.getApiVersion() + "/" + object.getKind())
                .filter(kind ->
                        !OPENSHIFT.matcher(kind).lookingAt() && !unchecked().contains(kind))
                .distinct()
                .sorted()
                .map(kind -> kind + ": give its CRD in the folder of crds(), or accept it in unchecked()")
                .toList();
    }

    @Test
    void getsReadyAndThenRests() {
        try (SroSandbox sandbox = sandbox()) {
            getReady(sandbox);
            sandbox.run(Duration.ofMinutes(1));
            sandbox.cluster().recording().start();

            sandbox.run(Duration.ofHours(1));

            assertEquals(
                    List.of(),
                    sandbox
                            .cluster()
                            .recording()
                            .entries(e ->
                                    e.userAgent().equals("sro") && !e.verb().equals("watch"))
                            .stream()
                            .map(Recording.Entry::toString)
                            .toList(),
                    "requests of SRO in an hour in which nothing changes");
        }
    }

    @Test
    void leavesNothingBehind() {
        try (SroSandbox sandbox = sandbox()) {
            getReady(sandbox);
            String name = sandbox.client()
                    .resources(SpecialResource.class)
                    .list()
                    .getItems()
                    .get(0)
                    .getMetadata()
                    .getName();

            sandbox.client().resources(SpecialResource.class).withName(name).delete();
            boolean gone = sandbox.runUntil(
                    Duration.ofHours(1), () -> sandbox.get(name).isEmpty());
            sandbox.run(Duration.ofMinutes(5));

            assertTrue(gone, "the special resource is deleted");
            assertEquals(List.of(), leftOvers(sandbox), "objects that are left");
        }
    }

    private static List<String> leftOvers(SroSandbox sandbox) {
        List<String> left = new ArrayList<>();
        for (Gvr type : LEFT_OVERS) {
            sandbox.cluster().api().list(type).forEach(object -> {
                boolean owned = object.at("/metadata/labels").has(MetadataKeys.SPECIAL_RESOURCE);
                boolean kept = object.at("/metadata/annotations").has(MetadataKeys.KEEP);
                if (owned && !kept) {
                    left.add(type.plural() + "/" + object.at("/metadata/name").asText());
                }
            });
        }
        sandbox.client().nodes().list().getItems().stream()
                .flatMap(node -> node.getMetadata().getLabels() == null
                        ? Stream.empty()
                        : node.getMetadata().getLabels().keySet().stream())
                .filter(label -> label.startsWith(MetadataKeys.STATE_LABEL_PREFIX))
                .forEach(left::add);
        return left;
    }
}
