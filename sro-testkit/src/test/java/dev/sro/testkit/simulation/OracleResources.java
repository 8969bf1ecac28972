package dev.sro.testkit.simulation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The special resources of random histories: for each name, what a user may want of it, drawn at random. */
final class OracleResources {

    /** Two of one plugin on the same nodes, one that shares with nobody, two with upgrades, two parents, a recipe, an image of a driver, modules that pods load. */
    static final List<String> NAMES =
            List.of("kmod-a", "kmod-b", "jealous", "gpu", "net", "top", "second", "recipe", "driver", "loader");

    /** With those of wide histories: a driver that is built, and a chart with hooks. */
    static final List<String> WIDE_NAMES =
            Stream.concat(NAMES.stream(), Stream.of("builder", "hooked")).toList();

    /** Charts that special resources have, or need of others. */
    static final List<String> CHARTS = List.of("app-1.0.0", "app-2.0.0", "base-1.0.0", "base-2.0.0", "middle-1.0.0");

    /** With those of wide histories. */
    static final List<String> WIDE_CHARTS = Stream.concat(
                    CHARTS.stream(), Stream.of("hooked-1.0.0", "hooked-2.0.0", "mod-1.0.0"))
            .toList();

    private static final String VALUES = "{apiVersion: sro.openshift.io/v1beta1, kind: Values, %s}";

    private final Path charts;
    private final Random random;
    private final boolean moving;

    /**
     * @param moving whether operands change their namespace, and share one
     */
    OracleResources(Path charts, Random random, boolean moving) {
        this.moving = moving;
        this.charts = charts;
        this.random = random;
    }

    /** The whole special resource. */
    String draw(String name) {
        List<String> spec = new ArrayList<>();
        spec.add("namespace: " + (moving && oneIn(4) ? pick(name + "-b", "shared") : name));
        recipe(name, spec);
        if (oneIn(8)) {
            spec.add("managementState: " + pick("Unmanaged", "Removed", "Force"));
        }
        if (oneIn(6)) {
            spec.add("readinessTaint: {key: " + pick("acme.com/not-ready", "acme.com/" + name) + "}");
        }
        if (oneIn(6)) {
            spec.add("dependsOn: [{name: " + NAMES.get(random.nextInt(NAMES.size())) + "}]");
        }
        if (oneIn(8)) {
            spec.add(
                    "partitioning: "
                            + pick(
                                    "{hard: {taints: [{key: acme.com/only, value: yes, effect: NoSchedule}]}}",
                                    "{tolerations: [{key: acme.com/only, operator: Exists}]}",
                                    "{soft: {priorityClasses: [{name: high, value: 1000000, description: for pods with devices}]}}"));
        }
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata:
              name: %s
              labels: {%s}
              annotations: {%s}
            spec:
            %s
            """.formatted(
                        name,
                        oneIn(8) ? "team: drivers" : "",
                        oneIn(4) ? "sro.dev/delete-dependencies: \"true\"" : "",
                        String.join("\n", spec).indent(2).stripTrailing());
    }

    private void recipe(String name, List<String> spec) {
        switch (name) {
            case "kmod-a", "kmod-b" -> {
                spec.add("plugin: {name: kmod}");
                spec.add("nodeSelector: {example.com/device: \"true\"}");
                maybeDependencies(spec, 4);
            }
            case "jealous" -> {
                spec.add("plugin: {name: jealous}");
                spec.add(oneIn(2) ? "nodeSelector: {example.com/device: \"true\"}" : "nodeSelector: {zone: a}");
                maybeDependencies(spec, 6);
            }
            case "gpu", "net" -> {
                spec.add("plugin: {name: " + name + "}");
                spec.add("nodeSelector: {example.com/gpu: \"true\"}");
                String version = pick("1", "2", "3");
                spec.add("set: " + VALUES.formatted("version: \"" + version + "\", digest: \"" + version + "\""));
                if (!oneIn(4)) {
                    spec.add("upgradePolicy: "
                            + pick(
                                    "{autoUpgrade: true}",
                                    "{autoUpgrade: true, maxParallelUpgrades: 0, maxUnavailable: 100%}",
                                    "{autoUpgrade: true, paused: true}",
                                    "{autoUpgrade: true, drain: {enable: true}}"));
                }
            }
            case "top", "second" -> {
                spec.add("chart: " + reference("app", pick("1.0.0", "1.0.0", "2.0.0")));
                spec.add("set: " + VALUES.formatted("word: " + pick("one", "two")));
                maybeDependencies(spec, 1);
            }
            case "recipe" -> {
                maybeDependencies(spec, 4);
            }
            case "hooked" -> {
                spec.add("chart: " + reference("hooked", pick("1.0.0", "1.0.0", "2.0.0")));
                spec.add("set: " + VALUES.formatted("word: " + pick("one", "two")));
                maybeDependencies(spec, 4);
            }
            case "builder" -> {
                spec.add("plugin: {name: acme}");
                spec.add("nodeSelector: {example.com/device: \"true\"}");
                spec.add("driver: {containerImage: \"" + OracleImages.BUILT
                        + ":${KERNEL_FULL_VERSION}\", build: {"
                        + pick(
                                "dockerfile: \"FROM scratch\"",
                                "dockerfile: \"FROM other\"",
                                "dockerfileConfigMap: {name: files}",
                                "dockerfile: \"ARG BASE_IMAGE\", baseImage: \"registry.example/base:9\"")
                        + "}}");
            }
            case "loader" -> {
                spec.add("plugin: {name: loader, config: {level: \"" + pick("1", "2") + "\"}}");
                spec.add("nodeSelector: {example.com/device: \"true\"}");
                if (oneIn(2)) {
                    spec.add("upgradePolicy: {autoUpgrade: true}");
                }
            }
            default -> {
                spec.add("plugin: {name: acme}");
                spec.add("nodeSelector: {example.com/device: \"true\"}");
                spec.add("driver: {containerImage: \"registry.example/" + pick("drv", "other")
                        + ":${KERNEL_FULL_VERSION}\"}");
            }
        }
    }

    private void maybeDependencies(List<String> spec, int bound) {
        if (oneIn(bound)) {
            List<String> needed = new ArrayList<>();
            if (!oneIn(3)) {
                needed.add(dependency("base", pick("1.0.0", "1.0.0", "2.0.0"), pick("", "", "hello")));
            }
            if (oneIn(3)) {
                needed.add(dependency("middle", "1.0.0", ""));
            }
            spec.add("dependencies: [" + String.join(", ", needed) + "]");
        }
    }

    private String dependency(String chart, String version, String word) {
        return "{chart: " + reference(chart, version)
                + (word.isEmpty() ? "" : ", set: " + VALUES.formatted("word: " + word)) + "}";
    }

    private String reference(String chart, String version) {
        return reference(charts, chart, version);
    }

    static String reference(Path charts, String chart, String version) {
        return "{name: %s, version: %s, repository: {name: example, url: \"%s\"}}"
                .formatted(chart, version, charts.toUri());
    }

    private boolean oneIn(int bound) {
        return random.nextInt(bound) == 0;
    }

    private String pick(String... of) {
        return of[random.nextInt(of.length)];
    }
}
