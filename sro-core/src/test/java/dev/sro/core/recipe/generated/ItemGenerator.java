package dev.sro.core.recipe.generated;

import dev.sro.core.recipe.generated.Blueprint.Era;
import dev.sro.core.recipe.generated.Word.Var;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes the objects of recipes. */
final class ItemGenerator {

    private static final List<String> PLAIN = List.of(
            "hello",
            "yes",
            "0644",
            "1_000",
            "8.4",
            "null",
            "~",
            "",
            " leading and trailing ",
            "it's \"quoted\"",
            "a: b # no comment",
            "- no list",
            "back\\slash",
            "<html> & more",
            "grüße ☃",
            "#!/bin/sh\nset -e\necho \"$KERNEL_FULL_VERSION\"\n",
            "first\n\n  indented\nlast\n",
            "tab\there",
            "{\"json\": [1, 2, {\"a\": {}}]}",
            "---\nnot: a document\n",
            "*no-alias &no-anchor",
            "@at `tick`",
            "%percent",
            "specialresource.openshift.io/driver-container",
            "specialresource.openshift.io/device-plugin",
            "specialresource.openshift.io/runtime-enablement: ready",
            "12:30:45");

    /** What dashboards and alerts have in double braces: text to whoever knows no templates, and escaped in templates. */
    private static final List<String> BRACES = List.of(
            "{{gpu}}", "{{ instance }} of {{node}}", "{{ $labels.node }} is {{ $value }}", "}} {{ {", "{{.Title}}");

    private final Random random;
    private final Era era;
    private final boolean waits;
    private final boolean tolerant;
    private int count;

    /**
     * @param waits whether anything says what to wait for
     * @param tolerant whether DaemonSets tolerate all taints
     */
    ItemGenerator(Random random, Era era, boolean waits, boolean tolerant) {
        this.random = random;
        this.era = era;
        this.waits = waits;
        this.tolerant = tolerant;
    }

    Item next() {
        Kind kind = pick(Kind.ALL);
        if (random.nextInt(3) == 0) {
            kind = random.nextInt(3) == 0 ? Kind.BUILD_CONFIG : Kind.DAEMON_SET;
        }
        String name = name(kind);
        return item(kind, name, namespace(kind), condition());
    }

    /** Another object with the name of this one. */
    Item another(Item former, boolean conditional) {
        return item(former.kind(), former.name(), former.namespace(), conditional ? condition() : "");
    }

    private Item item(Kind kind, String name, String namespace, String condition) {
        Map<String, Object> labels = new LinkedHashMap<>();
        if (kind.hasApp() || random.nextInt(4) == 0) {
            labels.put("app", Word.of(short63(name)));
        }
        if (random.nextInt(6) == 0) {
            labels.put("example.com/label", word());
        }
        Map<String, Object> annotations = annotations(kind);
        labels.replaceAll((key, value) -> value instanceof Word word && !isLabel(word) ? Word.of("v1") : value);
        return new Item(kind, name, namespace, labels, annotations, body(kind, name, annotations), condition);
    }

    private static boolean isLabel(Word word) {
        return word.parts().stream()
                .allMatch(part -> part instanceof Var
                        || ((Word.Plain) part).text().matches("[A-Za-z0-9]([A-Za-z0-9_.-]{0,60}[A-Za-z0-9])?"));
    }

    private static String short63(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40);
    }

    private String condition() {
        return era.hasTemplates() && random.nextInt(10) == 0 ? random.nextInt(3) == 0 ? "false" : "true" : "";
    }

    private String name(Kind kind) {
        if (kind == Kind.NAMESPACE && random.nextInt(3) > 0) {
            return Blueprint.SPACE;
        }
        String base = switch (random.nextInt(8)) {
            case 0 -> "n".repeat(44) + "-" + "x".repeat(random.nextInt(15));
            case 1, 2, 3 -> Blueprint.RESOURCE + "-driver";
            default -> "object";
        };
        String name = base + "-" + count;
        return kind == Kind.DEFINITION ? "things" + count + ".example.com" : name;
    }

    private String namespace(Kind kind) {
        if (kind.cluster) {
            return "";
        }
        return switch (random.nextInt(8)) {
            case 0 -> "openshift-monitoring";
            case 1, 2 -> Blueprint.SPACE;
            default -> "";
        };
    }

    private Map<String, Object> annotations(Kind kind) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(Item.MARK, Word.of("mark-" + count++));
        if (random.nextInt(8) == 0) {
            all.put("openshift.io/node-selector", Word.of(""));
        }
        if (kind == Kind.NAMESPACE) {
            return all;
        }
        if (!era.hasTemplates()) {
            if (kind == Kind.DAEMON_SET && random.nextBoolean()) {
                all.put("callback", Word.of("nvidia-driver-daemonset"));
            } else if (kind == Kind.CONFIG_MAP && random.nextInt(3) == 0) {
                all.put("callback", Word.of("nvidia-grafana-configmap"));
            }
            return all;
        }
        if (waits && random.nextInt(kind.runs() ? 2 : 6) == 0) {
            all.put(
                    Item.PREFIX + "wait",
                    Word.of(random.nextInt(6) > 0 ? "true" : pick(List.of("false", "false", "True", "yes", ""))));
        }
        if (waits && kind.hasLogs() && random.nextInt(5) == 0) {
            all.put(
                    (era == Era.OF_2020 ? Item.MISSPELT : Item.PREFIX) + "wait-for-logs",
                    Word.of(pick(List.of("\\+ wait \\d+", "sleep infinity", "(?m)^done\\.?$", "loaded|finished", ""))));
        }
        if (kind.nodes().size() > 0 && random.nextInt(8) == 0) {
            all.put(Item.PREFIX + "proxy", Word.of(pick(List.of("true", "true", "false", "yes"))));
        }
        boolean driver = kind == Kind.DAEMON_SET || kind == Kind.BUILD_CONFIG;
        if (driver && random.nextInt(2) == 0) {
            all.put(Item.PREFIX + "driver-container-vendor", Word.of(random.nextInt(6) == 0 ? "other" : "acme"));
        }
        if (kind == Kind.DAEMON_SET && random.nextInt(2) == 0) {
            all.put(
                    Item.PREFIX + "state",
                    Word.of(pick(List.of(
                            "driver-container",
                            "runtime-enablement",
                            "device-plugin",
                            "device-monitoring",
                            "nothing-known"))));
        }
        if (random.nextInt(kind == Kind.CONFIG_MAP ? 4 : 12) == 0) {
            all.put(Item.PREFIX + "callback", Word.of("specialresource-grafana-configmap"));
        }
        if (random.nextInt(20) == 0) {
            all.put(Item.PREFIX + "kernel-affine", Word.of(pick(List.of("true", "true", "true", "false", "yes", ""))));
        }
        return all;
    }

    private Map<String, Object> body(Kind kind, String name, Map<String, Object> annotations) {
        return switch (kind) {
            case DAEMON_SET, DEPLOYMENT, STATEFUL_SET -> Map.of("spec", workload(kind, name));
            case POD -> Map.of("spec", pod(pick(List.of("Never", "OnFailure"))));
            case JOB -> Map.of("spec", Map.of("template", Map.of("spec", pod("Never"))));
            case CRON_JOB ->
                Map.of(
                        "spec",
                        Map.of(
                                "schedule",
                                Word.of("*/5 * * * *"),
                                "jobTemplate",
                                Map.of("spec", Map.of("template", Map.of("spec", pod("OnFailure"))))));
            case BUILD_CONFIG -> Map.of("spec", build());
            case SERVICE -> Map.of("spec", Map.of("ports", List.of(Map.of("port", 80)), "selector", app(name)));
            case CONFIG_MAP ->
                Map.of("data", data(annotations.keySet().stream().anyMatch(key -> key.endsWith("callback"))));
            case SECRET -> Map.of("type", Word.of("Opaque"), "data", Map.of("key", Word.of("aGVsbG8=")));
            case ROLE, CLUSTER_ROLE ->
                Map.of(
                        "rules",
                        List.of(Map.of(
                                "apiGroups",
                                List.of(Word.of("")),
                                "resources",
                                List.of(Word.of("pods")),
                                "verbs",
                                List.of(Word.of("get"), Word.of("list")))));
            case CONSTRAINTS ->
                Map.of("allowPrivilegedContainer", true, "users", List.of(Word.of("system:serviceaccount:a:b")));
            case PROMETHEUS_RULE ->
                Map.of("spec", Map.of("groups", List.of(Map.of("name", Word.of("g"), "rules", List.of(rule())))));
            case SERVICE_MONITOR -> Map.of("spec", Map.of("selector", Map.of("matchLabels", app(name))));
            case DEFINITION -> Map.of("spec", Map.of("group", Word.of("example.com"), "scope", Word.of("Cluster")));
            default -> Map.of();
        };
    }

    private Map<String, Object> rule() {
        return Map.of(
                "alert",
                Word.of("GpuIsHot"),
                "expr",
                Word.of("temperature > 80"),
                "annotations",
                Map.of("message", braces()));
    }

    private static Map<String, Object> app(String name) {
        return Map.of("app", Word.of(short63(name)));
    }

    private Map<String, Object> workload(Kind kind, String name) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("selector", Map.of("matchLabels", app(name)));
        if (kind != Kind.DAEMON_SET && random.nextBoolean()) {
            spec.put("replicas", 1 + random.nextInt(3));
        }
        if (kind == Kind.DAEMON_SET && random.nextInt(3) == 0) {
            spec.put("updateStrategy", Map.of("type", Word.of("OnDelete")));
        }
        Map<String, Object> pod = pod("");
        if (tolerant && kind == Kind.DAEMON_SET) {
            pod.put("tolerations", List.of(Map.of("operator", Word.of("Exists"))));
        }
        spec.put("template", Map.of("metadata", Map.of("labels", app(name)), "spec", pod));
        return spec;
    }

    private static Map<String, Object> variable(String name) {
        return Map.of("name", Word.of(name), "value", Word.of("own"));
    }

    private Map<String, Object> pod(String restart) {
        Map<String, Object> pod = new LinkedHashMap<>();
        if (!restart.isEmpty()) {
            pod.put("restartPolicy", Word.of(restart));
        }
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", Word.of("c"));
        container.put("image", image());
        if (random.nextInt(3) == 0) {
            container.put("command", List.of(Word.of("sh"), Word.of("-c"), word()));
        }
        if (random.nextInt(3) == 0) {
            container.put("securityContext", Map.of("privileged", true, "runAsUser", 0));
        }
        if (random.nextInt(4) == 0) {
            container.put("env", List.of(variable(pick(List.of("NO_PROXY", "LOG_LEVEL")))));
        }
        if (random.nextInt(4) == 0) {
            Map<String, Object> init = new LinkedHashMap<>();
            init.put("name", Word.of("init"));
            init.put("image", Word.of("registry.example.com/acme/init:v1"));
            pod.put("initContainers", List.of(init));
        }
        pod.put("containers", List.of(container));
        nodeSelector(pod);
        return pod;
    }

    private void nodeSelector(Map<String, Object> spec) {
        if (random.nextInt(3) == 0) {
            Map<String, Object> selector = new LinkedHashMap<>();
            selector.put("example.com/rack", Word.of("r1"));
            if (random.nextInt(2) == 0) {
                selector.put("feature.node.kubernetes.io/kernel-version.full", Word.of(Var.KERNEL));
            }
            spec.put("nodeSelector", selector);
        }
    }

    private Word image() {
        Word image = Word.of("registry.example.com/acme/driver:v1");
        return random.nextInt(3) == 0 ? image.and("-").and(Var.KERNEL) : image;
    }

    private Map<String, Object> build() {
        Map<String, Object> spec = new LinkedHashMap<>();
        Word tag = Word.of("driver:v1");
        boolean kernel = era.hasTemplates() && random.nextInt(3) > 0;
        spec.put(
                "output",
                Map.of(
                        "to",
                        Map.of(
                                "kind",
                                Word.of("ImageStreamTag"),
                                "name",
                                kernel ? tag.and("-").and(Var.KERNEL) : tag)));
        if (era == Era.OF_2021 && random.nextInt(2) == 0) {
            spec.put("strategy", Map.of("dockerStrategy", Map.of("buildArgs", new Item.Arguments())));
        }
        nodeSelector(spec);
        return spec;
    }

    private Map<String, Object> data(boolean dashboard) {
        Map<String, Object> data = new LinkedHashMap<>();
        int entries = 1 + random.nextInt(3);
        for (int i = 0; i < entries; i++) {
            data.put("key" + i + pick(List.of("", ".sh", "-x")), random.nextInt(5) == 0 ? braces() : word());
        }
        if (random.nextInt(dashboard ? 2 : 20) == 0) {
            data.put(
                    "datasource.yaml",
                    Word.of("url: ")
                            .and(Var.PROMETHEUS_URL)
                            .and("\nuser: ")
                            .and(Var.PROMETHEUS_USER)
                            .and("\npassword: ")
                            .and(Var.PROMETHEUS_PASS));
        }
        return data;
    }

    private Word braces() {
        // In a file of 2019 that one may be meant as a template just as well.
        return Word.of(pick(BRACES.subList(0, era == Era.EARLY_2019 ? BRACES.size() - 1 : BRACES.size())));
    }

    private Word word() {
        List<Var> known = KnownVariables.of(era);
        if (known.isEmpty() || random.nextInt(2) == 0) {
            return Word.of(pick(PLAIN));
        }
        List<Word.Part> parts = new ArrayList<>();
        int many = 1 + random.nextInt(2);
        for (int i = 0; i < many; i++) {
            if (random.nextBoolean()) {
                parts.add(new Word.Plain(pick(List.of("x-", "a_b ", "v", "it's ", "line\nnext "))));
            }
            parts.add(known.get(random.nextInt(known.size())));
        }
        return new Word(parts);
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
