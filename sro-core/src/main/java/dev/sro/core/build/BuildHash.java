package dev.sro.core.build;

import dev.sro.api.Pool;
import dev.sro.api.driver.BuildPlan;
import dev.sro.core.model.ValueTrees;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Says whether two builds would make the same image. What only says how and where it runs (secrets to push and pull with, time
 * limit, nodes, resources, TLS, the builder's own version) is no input. Stateless.
 */
final class BuildHash {

    private BuildHash() {}

    /**
     * The hash.
     *
     * @param plan with all arguments, the base image among them with its digest
     * @param done what is done: the Dockerfile, or what is signed
     * @param after hash of the step whose image it takes in; empty for none
     * @param secrets versions by name; only those that the plan reads matter
     */
    static String compute(
            BuildStep.Kind kind,
            BuildPlan.Method method,
            Pool pool,
            BuildPlan plan,
            Object done,
            String after,
            Map<String, String> secrets) {
        Map<String, Object> inputs = new LinkedHashMap<>();
        inputs.put("kind", kind.word());
        inputs.put("method", method.name());
        inputs.put("after", after);
        inputs.put("kernel", pool.kernel().raw());
        inputs.put("architecture", pool.architecture());
        inputs.put("dockerfile", done);
        inputs.put("arguments", plan.arguments());
        inputs.put(
                "git",
                Stream.of(plan.gitUri(), plan.gitReference(), plan.gitDirectory())
                        .map(part -> part.orElse(""))
                        .toList());
        inputs.put("baseImage", plan.baseImage().orElse(""));
        inputs.put("image", plan.pushTo());
        Map<String, Object> read = new TreeMap<>();
        for (String name : plan.secrets()) {
            read.put(name, secrets.getOrDefault(name, "absent"));
        }
        inputs.put("secrets", read);
        return ValueTrees.digest(inputs);
    }
}
