package dev.sro.core.recipe.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Charts put together at random of what the Special Resource Operator and Helm accept: states and other templates, annotations,
 * hooks, helpers, values, objects in several states, and YAML that is odd but legal. One seed makes one chart.
 */
final class ChartGenerator {

    private static final String PREFIX = "specialresource.openshift.io/";

    private static final List<String> POLICIES =
            List.of("before-hook-creation", "hook-succeeded", "before-hook-creation, hook-succeeded,hook-failed");

    private static final List<String> NAMES = List.of(
            "0000-build.yaml",
            "0000_first.yaml",
            "0001-a.b.yaml",
            "0500-plugin.yaml",
            "1000-driver-container.yaml",
            "2000-UPPER.yaml",
            "sub/0100-in-folder.yaml",
            "3000-no-state.yml",
            "service.yaml",
            "12345-five.yaml",
            "rbac.yaml");

    private static final List<String> ODD = List.of(
            "yes",
            "\"no\"",
            "0644",
            "1_000",
            "{{ .Values.word | quote }}",
            "{{ .Values.number }}",
            "{{ include \"chart.name\" . }}",
            "'{{ .Values.kernelFullVersion }}'",
            "{{ .Values.missing | default \"none\" }}",
            "{{ .Release.Name }}-{{ .Release.Namespace }}",
            "{{ tpl .Values.templated . }}",
            "x\t# tab",
            "{{ .Values.list | join \",\" | quote }}",
            "{{ if .Values.flag }}on{{ else }}off{{ end }}",
            "{{- with .Values.map }} {{ .inner | quote }}{{ end }}",
            "\"{{ .Files.Get \"file.txt\" | trim }}\"",
            "12:30:45",
            "!!str 7");

    private final Random random;
    private final @Nullable Random lives;
    private int objects;

    private ChartGenerator(long seed, boolean lived) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 29);
        this.lives = lived ? new Random(seed * 0x9E3779B97F4A7C15L + 31) : null;
    }

    /** The files of a chart. */
    static Map<String, String> chart(long seed) {
        return new ChartGenerator(seed, false).files();
    }

    /**
     * The files of the same chart with what shows only while it runs: values that each rendering makes anew, what is to be kept, times
     * to live, policies of hooks, lists of a kind.
     */
    static Map<String, String> lived(long seed) {
        return new ChartGenerator(seed, true).files();
    }

    /** Writes them. */
    static Path write(Map<String, String> files, Path folder) {
        files.forEach((name, text) -> {
            try {
                Path file = folder.resolve(name);
                Files.createDirectories(file.getParent());
                Files.writeString(file, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return folder;
    }

    private Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        files.put("Chart.yaml", "apiVersion: v2\nname: generated\nversion: 0.1." + random.nextInt(9) + "\n");
        files.put("file.txt", "from a file\n");
        files.put("values.yaml", """
            word: hello
            number: %d
            flag: %s
            list: [a, b]
            map: {inner: value}
            templated: "{{ .Values.word }}-{{ .Chart.Name }}"
            %s
            """.formatted(
                        random.nextInt(1_000),
                        pick(List.of("true", "false", "yes", "off", "0")),
                        pick(List.of("", "architecture: replication", "platform: {name: own}", "proxy: {extra: 1}"))));
        files.put(
                "templates/_helpers.tpl",
                "{{- define \"chart.name\" -}}\n{{ .Chart.Name | trunc 63 }}-{{ .Values.word }}\n{{- end -}}\n");
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            files.put("templates/" + pick(NAMES), template());
        }
        if (chance(4)) {
            files.put("templates/NOTES.txt", "{{ .Release.Name }}\n");
        }
        return files;
    }

    /** What only a chart has that is run. */
    private String inLife(int oneIn, String text) {
        return lives != null && lives.nextInt(oneIn) == 0 ? text : "";
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String template() {
        StringBuilder text = new StringBuilder(chance(4) ? "# only a comment\n---\n" : "");
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            text.append(i > 0 ? "---\n" : "").append(chance(6) ? looped() : chance(6) ? hook() : object());
        }
        return chance(8) ? "{{- if .Values.word }}\n" + text + "{{- end }}\n" : text.toString();
    }

    /** The mark says which of several objects of one name it is. */
    private String metadata(String name, String annotations) {
        String mark = "mark-" + objects++;
        return "metadata:\n  name: " + name + "\n" + (chance(6) ? "  labels: {app: \"" + name + "\"}\n" : "")
                + (chance(9) ? "  namespace: elsewhere\n" : "") + "  annotations:\n    example.com/mark: " + mark + "\n"
                + annotations;
    }

    private String annotations() {
        StringBuilder text = new StringBuilder(inLife(9, "    \"helm.sh/resource-policy\": keep\n"));
        for (String annotation : List.of(
                "kernel-affine: \"true\"",
                "kernel-affine: \"false\"",
                "wait: \"true\"",
                "driver-container-vendor: acme",
                "state: driver-container",
                "proxy: \"true\"",
                "wait-for-logs: \"done.*\"")) {
            String key = annotation.substring(0, annotation.indexOf(':'));
            if (chance(5) && !text.toString().contains(key + ":")) {
                text.append("    ").append(PREFIX).append(annotation).append('\n');
            }
        }
        return text.toString();
    }

    private String object() {
        return switch (random.nextInt(9)) {
            case 0 ->
                "apiVersion: apps/v1\nkind: DaemonSet\n" + metadata(name(), annotations())
                        + "spec:\n  template:\n    spec: &spec\n      containers:\n      - {name: c, image: \"i:{{ .Values.kernelFullVersion }}\"}\n";
            case 1 ->
                "apiVersion: build.openshift.io/v1\nkind: BuildConfig\n" + metadata(name(), annotations())
                        + "spec:\n  output: {to: {kind: ImageStreamTag, name: 'i:v{{ .Values.kernelFullVersion }}'}}\n";
            case 2 -> "apiVersion: v1\nkind: Namespace\n" + metadata("shared-namespace", "");
            case 3 ->
                "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ServiceAccount\n"
                        + metadata(name(), annotations()).indent(2);
            case 4 -> workload(pick(List.of("DaemonSet", "Deployment", "StatefulSet")));
            case 5 -> once(pick(List.of("Pod", "Job", "CronJob")));
            case 6 -> other();
            default -> {
                String content = metadata(name(), annotations())
                        + data()
                        + inLife(4, "  random: {{ randAlphaNum 9 | quote }}\n");
                yield inLife(6, "list").isEmpty()
                        ? "apiVersion: v1\nkind: ConfigMap\n" + content
                        : "apiVersion: v1\nkind: ConfigMapList\nitems:\n-\n" + content.indent(2);
            }
        };
    }

    private String workload(String kind) {
        String name = name();
        return "apiVersion: apps/v1\nkind: " + kind + "\n" + metadata(name, annotations()) + "spec:\n"
                + (kind.equals("DaemonSet") ? "" : "  replicas: " + (1 + random.nextInt(3)) + "\n")
                + "  selector: {matchLabels: {app: \"" + name + "\"}}\n"
                + "  template:\n    metadata: {labels: {app: \"" + name + "\", tier: x}}\n    spec:\n"
                + pod().indent(6);
    }

    private String once(String kind) {
        String pod = "restartPolicy: " + pick(List.of("Never", "OnFailure")) + "\n" + pod();
        String head = metadata(name(), annotations());
        return switch (kind) {
            case "Pod" -> "apiVersion: v1\nkind: Pod\n" + head + "spec:\n" + pod.indent(2);
            case "Job" ->
                "apiVersion: batch/v1\nkind: Job\n" + head + "spec:\n" + inLife(2, "  ttlSecondsAfterFinished: 60\n")
                        + "  template:\n    spec:\n" + pod.indent(6);
            default ->
                "apiVersion: batch/v1\nkind: CronJob\n" + head
                        + "spec:\n  schedule: '*/5 * * * *'\n  jobTemplate:\n    spec:\n      template:\n        spec:\n"
                        + pod.indent(10);
        };
    }

    private String pod() {
        return (chance(3)
                        ? "nodeSelector: {example.com/rack: r1" + (chance(2) ? ", example.com/zone: x" : "") + "}\n"
                        : "")
                + (chance(3) ? "initContainers:\n- {name: init, image: 'init:{{ .Values.number }}'}\n" : "")
                + "containers:\n- name: c\n  image: \"i:{{ .Values.kernelFullVersion }}\"\n"
                + (chance(3)
                        ? "  env:\n  - {name: NO_PROXY, value: own}\n  - {name: WORD, value: {{ .Values.word }}}\n"
                        : "");
    }

    private String other() {
        return switch (random.nextInt(6)) {
            case 0 ->
                "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n" + metadata(name(), annotations())
                        + "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n";
            case 1 ->
                "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n" + metadata(name(), annotations())
                        + "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}\n"
                        + "subjects: [{kind: ServiceAccount, name: a}]\n";
            case 2 ->
                "apiVersion: v1\nkind: Service\n" + metadata(name(), annotations())
                        + "spec: {ports: [{port: {{ add .Values.number 1 }}}], selector: {app: a}}\n";
            case 3 ->
                "apiVersion: shipwright.io/v1alpha1\nkind: BuildRun\n" + metadata(name(), annotations())
                        + "spec: {buildRef: {name: a}}\n";
            case 4 ->
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                        + metadata("things.example.com", "")
                        + "spec: {group: example.com, scope: Cluster, names: {kind: Thing, plural: things}}\n";
            default ->
                "apiVersion: v1\nkind: Secret\n" + metadata(name(), annotations())
                        + "type: Opaque\ndata: {k: {{ .Values.word | b64enc }}}\n";
        };
    }

    private String name() {
        return pick(List.of("a", "b", "simple-kmod", "n".repeat(45) + "-x", "m".repeat(60)));
    }

    private String data() {
        StringBuilder text = new StringBuilder("data:\n");
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            text.append("  k")
                    .append(random.nextInt(3))
                    .append(": ")
                    .append(pick(ODD))
                    .append('\n');
        }
        return text.toString();
    }

    private String looped() {
        String object = "apiVersion: v1\nkind: ServiceAccount\n" + metadata("loop-{{ . }}", "");
        return "{{- range .Values.list }}\n" + object + "---\n{{- end }}\n";
    }

    private String policy() {
        return lives == null
                ? ""
                : inLife(2, "    helm.sh/hook-delete-policy: " + POLICIES.get(lives.nextInt(3)) + "\n");
    }

    private String hook() {
        String event = pick(List.of("pre-install", "post-install", "post-install,post-upgrade", "test", "pre-delete"));
        return "apiVersion: batch/v1\nkind: Job\n"
                + metadata(
                        "hook-" + objects,
                        "    helm.sh/hook: " + event + "\n    helm.sh/hook-weight: \"" + random.nextInt(9) + "\"\n"
                                + policy())
                + "spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: \"i:1\"}]}}}\n";
    }
}
