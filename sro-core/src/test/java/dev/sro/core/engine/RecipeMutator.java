package dev.sro.core.engine;

import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A chart and a special resource with mistakes in them, the same for the same seed. */
final class RecipeMutator {

    private static final String DRIVER = """
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          name: driver
        ---
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: driver
          labels: {app: driver}
          annotations:
            specialresource.openshift.io/kernel-affine: "true"
            specialresource.openshift.io/wait: "true"
            specialresource.openshift.io/driver-container-vendor: acme
            specialresource.openshift.io/proxy: "true"
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              nodeSelector: {feature.node.kubernetes.io/kernel-version.full: x}
              containers:
              - {name: driver, image: "registry.example.com/driver:{{ .Values.kernelFullVersion }}"}
        """;

    private static final Map<String, String> BASE = Map.of(
            "Chart.yaml",
            "apiVersion: v2\nname: kmod\nversion: 1.0.0\n",
            "values.yaml",
            "word: one\nlist: [1, 2]\n",
            "crds/thing.yaml",
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things.example.com}
            spec: {group: example.com, names: {kind: Thing, plural: things}, scope: Namespaced, versions: []}
            """,
            "templates/0000-build.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: build, annotations: {specialresource.openshift.io/wait-for-logs: "done"}}
            data: {word: "{{ .Values.word }}"}
            """,
            "templates/1000-driver.yaml",
            DRIVER,
            "templates/2000-check.yaml",
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: check
              annotations: {sro.dev/ready-when: "has(self.status) && self.status.succeeded > 0"}
            spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "registry.example.com/c:1"}]}}}
            """,
            "templates/hooks.yaml",
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: before
              annotations: {helm.sh/hook: "pre-install,pre-delete", helm.sh/hook-weight: "5", helm.sh/hook-delete-policy: hook-succeeded}
            spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "registry.example.com/c:1"}]}}}
            """,
            "templates/rest.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: rest}
            data: {a: "1"}
            """);

    private static final List<String> PIECES = List.of(
            "\n---\n",
            "\n--- \n# nothing\n",
            "kind: SpecialResource\n",
            "kind: Namespace\n",
            "kind: List\nitems: [{}]\n",
            "apiVersion: {}\n",
            "metadata: []\n",
            "metadata: {name: 1}\n",
            "metadata: {name: driver, namespace: kube-system}\n",
            "  annotations: {helm.sh/hook: \"post-install, test,none\"}\n",
            "  annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-weight: heavy}\n",
            "  annotations: {specialresource.openshift.io/kernel-affine: \"false\"}\n",
            "  annotations: {specialresource.openshift.io/kernel-affine: true}\n",
            "  annotations: {specialresource.openshift.io/wait-for-logs: \"([\"}\n",
            "  annotations: {sro.dev/ready-when: \"self.status.\"}\n",
            "  annotations: {sro.dev/ready-when: \"[1,2].map(x, [1,2].map(y, x*y))\"}\n",
            "  annotations: {specialresource.openshift.io/callback: none, sro.dev/keep: \"true\"}\n",
            "  labels: null\n",
            "  name: \"../../x\"\n",
            "  ownerReferences: [{kind: SpecialResource, uid: other, name: kmod, controller: true}]\n",
            "  finalizers: [never.example.com/gone]\n",
            "&a [*a]\n",
            "a: &b {c: 1}\nd: *b\n",
            "{{ .Values.",
            "{{ .Values.none }}",
            "\u0000",
            "\uD83D\uDE80",
            "\t",
            "%YAML 1.1\n",
            "!!binary abc\n",
            "? [complex]\n: key\n",
            "<<: {a: b}\n",
            "0x7fffffffffffffffffff",
            ": ",
            "- ",
            "\"",
            "'",
            "|\n",
            ">-\n  x\n");

    private static final List<Object> VALUES = List.of(
            "",
            "x",
            "true",
            "-1",
            "a/b",
            "A B",
            "x".repeat(300),
            0,
            -1,
            Long.MAX_VALUE,
            1e300,
            true,
            List.of(),
            List.of("a", List.of("b")),
            Map.of(),
            Map.of("a", Map.of("b", "c")),
            "{{ .Values.kernelFullVersion }}",
            "{{ .Values.none.none }}",
            "{{ template \"x\" }}",
            "{{");

    private final Random random;

    RecipeMutator(long seed) {
        random = new Random(seed);
    }

    /** Files of a chart by path. */
    Map<String, String> files() {
        Map<String, String> files = new TreeMap<>(BASE);
        int mistakes = random.nextInt(4);
        for (int i = 0; i < mistakes; i++) {
            List<String> paths = new ArrayList<>(files.keySet());
            String path = paths.get(random.nextInt(paths.size()));
            String text = files.getOrDefault(path, "");
            switch (random.nextInt(8)) {
                case 0 -> files.remove(path);
                case 1 -> files.put("templates/" + random.nextInt(3) + "000_more.yaml", text);
                case 2 -> files.put(path, files.getOrDefault(paths.get(random.nextInt(paths.size())), ""));
                default -> files.put(path, mutated(text));
            }
        }
        return files;
    }

    private String mutated(String text) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 80));
        int line = text.lastIndexOf('\n', at) + 1;
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, at) + text.substring(end);
            case 1 -> text.substring(0, end) + text.substring(at);
            case 2 -> text.substring(0, line) + text.substring(Math.max(line, text.indexOf('\n', line) + 1));
            default -> {
                String piece = PIECES.get(random.nextInt(PIECES.size()));
                int place = random.nextBoolean() ? line : at;
                yield text.substring(0, place) + piece + text.substring(place);
            }
        };
    }

    /** The tree with up to three values replaced, removed or added; its metadata stays. */
    Map<String, Object> resource(Map<String, Object> base) {
        Map<String, Object> tree = ValueTrees.mutableCopy(base);
        int mistakes = random.nextInt(4);
        for (int i = 0; i < mistakes; i++) {
            mutate(ValueTrees.ensureMap(tree, "spec"));
        }
        return tree;
    }

    private void mutate(Map<String, Object> map) {
        if (map.isEmpty() || random.nextInt(12) == 0) {
            map.put(random.nextBoolean() ? "more" : "set", value());
            return;
        }
        List<String> keys = new ArrayList<>(new TreeMap<>(map).keySet());
        String key = keys.get(random.nextInt(keys.size()));
        Object value = map.get(key);
        if (value instanceof Map<?, ?> && random.nextInt(4) > 0) {
            mutate(ValueTrees.ensureMap(map, key));
        } else if (random.nextInt(4) == 0) {
            map.remove(key);
        } else {
            map.put(key, value());
        }
    }

    private @Nullable Object value() {
        return ValueTrees.mutableCopy(Map.of("value", VALUES.get(random.nextInt(VALUES.size()))))
                .get("value");
    }
}
