package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What happens in a wide random history: preflights, modules, builds, webhooks, clocks that are set, and two operators at a time.
 */
final class OracleFeatureSteps {

    private static final Gvr PREFLIGHTS = new Gvr("sro.openshift.io", "v1beta1", "preflightvalidations");
    private static final Gvr MODULES = new Gvr("sro.openshift.io", "v1beta1", "specialresourcemodules");
    private static final Gvr CLUSTERS = new Gvr("cluster.open-cluster-management.io", "v1", "managedclusters");
    private static final Gvr WEBHOOKS =
            new Gvr("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

    /** Special resources' companions, whose statuses say how far they are. */
    static final List<Gvr> COMPANIONS = List.of(PREFLIGHTS, MODULES);

    private static final int MAX_OVERLAP_MILLIS = 30_000;
    private static final int MAX_JUMP_MINUTES = 60;

    private final OracleWorld world;
    private final OracleRegistry registry;
    private final OracleCharts.Shelf shelf;
    private Random random;

    OracleFeatureSteps(OracleWorld world, OracleRegistry registry, OracleCharts.Shelf shelf, Random random) {
        this.world = world;
        this.registry = registry;
        this.shelf = shelf;
        this.random = random;
    }

    /** What is drawn from here on. */
    void draw(Random from) {
        random = from;
    }

    /** What is wrong outside of the cluster, and webhooks that refuse, end; nobody restarts anything. */
    void end() {
        registry.away(false);
        removeWebhook();
        world.sandbox.endFormer();
    }

    void step() {
        switch (random.nextInt(16)) {
            case 0, 1 -> preflight();
            case 2, 3 -> module();
            case 4, 5 -> cluster();
            case 6, 7 -> registryAnswers();
            case 8 -> webhook();
            case 9 -> overlap();
            case 10 -> jump();
            case 11, 12 -> recipeWithBuild();
            case 13 -> deleteBuild();
            case 14 -> dockerfile();
            default -> editStatus();
        }
    }

    private void preflight() {
        String name = "next-" + random.nextInt(2);
        if (random.nextInt(4) == 0) {
            delete(PREFLIGHTS, name);
            return;
        }
        String spec = switch (random.nextInt(3)) {
            case 0 -> "kernelVersion: " + OracleWorld.KERNELS.get(random.nextInt(2));
            case 1 -> "updateImage: \"" + registry.release(version()) + "\", specialResources: [driver, builder]";
            default -> "updateImage: \"" + registry.release(version()) + "\"";
        };
        apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: PreflightValidation
            metadata: {name: %s}
            spec: {%s}
            """.formatted(name, spec));
    }

    private String version() {
        return OracleRegistry.VERSIONS.get(random.nextInt(OracleRegistry.VERSIONS.size()));
    }

    private void module() {
        if (random.nextInt(4) == 0) {
            delete(MODULES, "mod");
            return;
        }
        String path = random.nextBoolean() ? "$.metadata.labels.openshiftVersion" : "$.metadata.annotations.image";
        apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResourceModule
            metadata: {name: mod}
            spec:
              namespace: mod
              chart: %s
              set: {kind: Values, apiVersion: sro.openshift.io/v1beta1, word: %s}
              upgradeGraph: "%s"
              watch: [{apiVersion: cluster.open-cluster-management.io/v1, kind: ManagedCluster, path: %s}]
            """.formatted(
                        OracleResources.reference(shelf.folder(), "mod", "1.0.0"),
                        random.nextBoolean() ? "one" : "two",
                        registry.graph(),
                        path));
    }

    private void cluster() {
        String name = "spoke-" + random.nextInt(2);
        if (random.nextInt(4) == 0) {
            delete(CLUSTERS, name);
            return;
        }
        apply("""
            apiVersion: cluster.open-cluster-management.io/v1
            kind: ManagedCluster
            metadata: {name: %s, labels: {openshiftVersion: "%s"}, annotations: {image: "%s"}}
            """.formatted(name, version(), registry.release(version())));
    }

    private void registryAnswers() {
        boolean away = random.nextBoolean();
        world.log.add("the registry is " + (away ? "away" : "there"));
        registry.away(away);
    }

    /** A webhook that nobody answers for refuses all writes of some kinds. */
    private void webhook() {
        if (random.nextInt(3) == 0) {
            removeWebhook();
            return;
        }
        boolean core = random.nextBoolean();
        apply("""
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: gone}
            webhooks:
            - name: gone.example.com
              admissionReviewVersions: [v1]
              sideEffects: None
              failurePolicy: Fail
              clientConfig: {service: {name: gone, namespace: default}}
              rules: [{apiGroups: ["%s"], apiVersions: ["*"], operations: [%s], resources: [%s]}]
            """.formatted(
                        core ? "" : "apps",
                        random.nextBoolean() ? "CREATE" : "CREATE, UPDATE, DELETE",
                        core ? "configmaps, serviceaccounts, pods" : "daemonsets, deployments"));
    }

    private void removeWebhook() {
        delete(WEBHOOKS, "gone");
    }

    /** Another operator takes over while this one does not see yet that it leads no more. */
    private void overlap() {
        int millis = random.nextInt(MAX_OVERLAP_MILLIS);
        world.log.add("another operator takes over, for " + millis + " ms there are two");
        world.takeOver();
        world.pass(Duration.ofMillis(millis));
        world.sandbox.endFormer();
    }

    private void jump() {
        Duration by = Duration.ofMinutes(random.nextInt(2 * MAX_JUMP_MINUTES) - MAX_JUMP_MINUTES);
        world.log.add("somebody sets the clock by " + by);
        world.setClock(by);
    }

    private void recipeWithBuild() {
        int version = 1 + random.nextInt(2);
        world.log.add("recipe " + version + " with a build");
        world.recipeWithBuild(version);
    }

    private void deleteBuild() {
        Gvr type = random.nextBoolean() ? Gvr.BUILDCONFIGS : Gvr.BUILDS;
        List<ObjectNode> builds = world.sandbox.cluster().api().list(type);
        if (!builds.isEmpty()) {
            ObjectNode build = builds.get(random.nextInt(builds.size()));
            String name = build.at("/metadata/name").asText();
            world.log.add("somebody deletes " + type.plural() + " " + name);
            world.sandbox
                    .cluster()
                    .api()
                    .delete(type, build.at("/metadata/namespace").asText(), name, DeleteOptions.DEFAULT);
        }
    }

    private void dockerfile() {
        if (random.nextInt(4) == 0) {
            delete(Gvr.CONFIGMAPS, "builder", "files");
            return;
        }
        apply("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: files, namespace: builder}
            data: {dockerfile: "FROM %s"}
            """.formatted(random.nextBoolean() ? "one" : "two"));
    }

    private void editStatus() {
        Gvr type = COMPANIONS.get(random.nextInt(COMPANIONS.size()));
        for (ObjectNode object : world.sandbox.cluster().api().list(type)) {
            String name = object.at("/metadata/name").asText();
            world.log.add("somebody empties the status of " + name);
            world.sandbox.cluster().api().as("somebody").update(type, null, name, "status", found -> {
                found.withObject("/status").removeAll();
                return found;
            });
        }
    }

    private void apply(String yaml) {
        world.log.add("apply\n" + yaml.indent(6).stripTrailing());
        world.apply(yaml);
    }

    private void delete(Gvr type, String name) {
        delete(type, null, name);
    }

    private void delete(Gvr type, @Nullable String namespace, String name) {
        if (world.sandbox.cluster().api().list(type).stream()
                .anyMatch(object -> object.at("/metadata/name").asText().equals(name)
                        && object.at("/metadata/namespace").asText().equals(namespace == null ? "" : namespace))) {
            world.log.add("delete " + type.plural() + " " + name);
            world.sandbox.cluster().api().delete(type, namespace, name, DeleteOptions.DEFAULT);
        }
    }
}
