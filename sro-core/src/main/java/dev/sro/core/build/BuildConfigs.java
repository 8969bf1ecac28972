package dev.sro.core.build;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.api.ProxySettings;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildTrigger;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The objects of a build on OpenShift. Stateless. */
final class BuildConfigs {

    private static final String IMAGE = "image.openshift.io/v1";

    private BuildConfigs() {}

    static List<KubeObject> render(BuildStep step, int attempt, BuildSettings settings, ProxySettings proxy) {
        List<KubeObject> objects = new ArrayList<>();
        StreamTag.of(step.image())
                .filter(target -> target.namespace().equals(step.namespace()))
                .ifPresent(target -> objects.add(stream(target)));
        Optional<Map<String, Object>> base = base(step, attempt, objects);
        objects.add(config(step, attempt, settings, proxy, base));
        return objects;
    }

    /** Holds the images of all kernels, so it belongs to no pool and to no attempt; it goes with the special resource only. */
    static KubeObject stream(StreamTag target) {
        Map<String, Object> tree = map(
                "apiVersion",
                IMAGE,
                "kind",
                "ImageStream",
                "metadata",
                map(
                        "name",
                        target.stream(),
                        "namespace",
                        target.namespace(),
                        "annotations",
                        map(MetadataKeys.BUILT_IMAGES, "true")),
                "spec",
                map("lookupPolicy", map("local", false)));
        return BuildTrees.frozen(tree);
    }

    /**
     * What a trigger watches. A base image of another registry gets a stream of its own, which OpenShift compares with that
     * registry from time to time; one with a digest never changes.
     */
    private static Optional<Map<String, Object>> base(BuildStep step, int attempt, List<KubeObject> objects) {
        Optional<String> image = step.plan().baseImage().filter(name -> !name.contains("@"));
        if (image.isEmpty()) {
            return Optional.empty();
        }
        Optional<StreamTag> known = StreamTag.of(image.get());
        if (known.isPresent()) {
            return known.map(tag -> tag.reference(step.namespace()));
        }
        String name = step.name(attempt);
        Map<String, Object> tree = BuildTrees.object(IMAGE, "ImageStream", step, name, attempt);
        tree.put(
                "spec",
                map(
                        "lookupPolicy",
                        map("local", false),
                        "tags",
                        List.of(map(
                                "name",
                                "base",
                                "from",
                                map("kind", "DockerImage", "name", image.get()),
                                "importPolicy",
                                importPolicy(step.plan()),
                                "referencePolicy",
                                map("type", "Source")))));
        objects.add(BuildTrees.frozen(tree));
        return Optional.of(map("kind", "ImageStreamTag", "name", name + ":base"));
    }

    private static Map<String, Object> importPolicy(BuildPlan plan) {
        Map<String, Object> policy = map("scheduled", true);
        if (plan.baseImageSecurity() != RegistrySecurity.CHECKED) {
            policy.put("insecure", true);
        }
        return policy;
    }

    private static KubeObject config(
            BuildStep step,
            int attempt,
            BuildSettings settings,
            ProxySettings proxy,
            Optional<Map<String, Object>> base) {
        BuildPlan plan = step.plan();
        Map<String, Object> tree =
                BuildTrees.object("build.openshift.io/v1", "BuildConfig", step, step.name(attempt), attempt);
        Map<String, Object> spec = new TreeMap<>();
        spec.put("runPolicy", "Serial");
        spec.put("triggers", triggers(plan, base));
        spec.put("source", source(plan, proxy));
        spec.put("strategy", map("type", "Docker", "dockerStrategy", strategy(plan)));
        spec.put("output", output(step));
        spec.put("resources", BuildTrees.resources(step, settings.limits(), settings.requests()));
        spec.put("nodeSelector", BuildTrees.nodeSelector(step));
        Duration timeout = plan.timeout().orElse(settings.timeout());
        spec.put("completionDeadlineSeconds", timeout.toSeconds());
        spec.put("successfulBuildsHistoryLimit", 2);
        spec.put("failedBuildsHistoryLimit", 2);
        tree.put("spec", spec);
        return BuildTrees.frozen(tree);
    }

    private static List<Object> triggers(BuildPlan plan, Optional<Map<String, Object>> base) {
        List<Object> triggers = new ArrayList<>();
        triggers.add(map("type", "ConfigChange"));
        base.ifPresent(from -> triggers.add(map("type", "ImageChange", "imageChange", map("from", from))));
        for (BuildTrigger trigger : plan.triggers()) {
            Map<String, Object> hook = map("secretReference", map("name", trigger.secret()));
            triggers.add(
                    switch (trigger.type()) {
                        case GITHUB -> map("type", "GitHub", "github", hook);
                        case GITLAB -> map("type", "GitLab", "gitlab", hook);
                        case BITBUCKET -> map("type", "Bitbucket", "bitbucket", hook);
                        case GENERIC -> map("type", "Generic", "generic", hook);
                    });
        }
        return triggers;
    }

    private static Map<String, Object> source(BuildPlan plan, ProxySettings proxy) {
        Map<String, Object> source = map("dockerfile", plan.dockerfile());
        source.put("type", plan.gitUri().isPresent() ? "Git" : "Dockerfile");
        plan.gitUri().ifPresent(uri -> {
            Map<String, Object> git = map("uri", uri);
            plan.gitReference().ifPresent(ref -> git.put("ref", ref));
            // Builds get the proxy of the cluster by OpenShift itself; what fetches the repository does not.
            Map<String, String> proxies = new TreeMap<>();
            proxies.put("httpProxy", proxy.httpProxy());
            proxies.put("httpsProxy", proxy.httpsProxy());
            proxies.put("noProxy", proxy.noProxy());
            proxies.values().removeIf(String::isEmpty);
            git.putAll(proxies);
            source.put("git", git);
        });
        plan.gitDirectory().ifPresent(directory -> source.put("contextDir", directory));
        plan.gitSecret().ifPresent(secret -> source.put("sourceSecret", map("name", secret)));
        return source;
    }

    /** No {@code from}: that would replace the last stage of the Dockerfile, not the one that builds. */
    private static Map<String, Object> strategy(BuildPlan plan) {
        Map<String, Object> strategy = map("buildArgs", BuildTrees.nameValues(plan.arguments()));
        plan.pullSecrets().stream().findFirst().ifPresent(name -> strategy.put("pullSecret", map("name", name)));
        if (!plan.secrets().isEmpty()) {
            List<Object> volumes = new ArrayList<>();
            for (String secret : plan.secrets()) {
                volumes.add(map(
                        "name",
                        volumeName(secret),
                        "mounts",
                        List.of(map("destinationPath", Dockerfiles.SECRETS + secret)),
                        "source",
                        map("type", "Secret", "secret", map("secretName", secret, "optional", false))));
            }
            strategy.put("volumes", volumes);
        }
        return strategy;
    }

    private static final int MAX_VOLUME = 40;

    /** A label of DNS, which names of Secrets need not be. */
    static String volumeName(String secret) {
        return "secret-" + MetadataKeys.fit(secret.replace('.', '-'), MAX_VOLUME);
    }

    private static Map<String, Object> output(BuildStep step) {
        Map<String, Object> to = StreamTag.of(step.image())
                .map(tag -> tag.reference(step.namespace()))
                .orElseGet(() -> map("kind", "DockerImage", "name", step.image()));
        Map<String, Object> output = map("to", to);
        step.plan().pushSecret().ifPresent(secret -> output.put("pushSecret", map("name", secret)));
        return output;
    }
}
