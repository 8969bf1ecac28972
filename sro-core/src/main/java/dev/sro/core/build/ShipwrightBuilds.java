package dev.sro.core.build;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.api.ProxySettings;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.model.KubeObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects of a build with Shipwright. Its ready-made strategies want the Dockerfile in the repository; ours is in a ConfigMap, so
 * there is a strategy of our own, which runs what a Job would. Stateless.
 */
final class ShipwrightBuilds {

    private static final String API = "shipwright.io/v1beta1";

    private ShipwrightBuilds() {}

    static List<KubeObject> render(BuildStep step, int attempt, BuildSettings settings, ProxySettings proxy) {
        String name = step.name(attempt);
        BuilderPod pod = new BuilderPod(step, name, settings, proxy);
        Map<String, Object> strategy = BuildTrees.object(API, "BuildStrategy", step, name, attempt);
        strategy.put("spec", map("steps", List.of(pod.container()), "volumes", pod.volumes()));
        Map<String, Object> build = BuildTrees.object(API, "Build", step, name, attempt);
        Map<String, Object> spec = new TreeMap<>();
        spec.put("strategy", map("kind", "BuildStrategy", "name", name));
        Map<String, Object> output = map("image", step.image());
        step.plan().pushSecret().ifPresent(secret -> output.put("pushSecret", secret));
        if (step.plan().pushSecurity() == RegistrySecurity.PLAIN) {
            output.put("insecure", true);
        }
        spec.put("output", output);
        Duration timeout = step.plan().timeout().orElse(settings.timeout());
        spec.put("timeout", timeout.toSeconds() + "s");
        spec.put("nodeSelector", BuildTrees.nodeSelector(step));
        build.put("spec", spec);
        Map<String, Object> run = BuildTrees.object(API, "BuildRun", step, name, attempt);
        run.put("spec", map("build", map("name", name)));
        return List.of(
                pod.files(attempt), BuildTrees.frozen(strategy), BuildTrees.frozen(build), BuildTrees.frozen(run));
    }
}
