package dev.sro.runtime.install;

import static dev.sro.runtime.install.Tree.map;

import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.runtime.CrdCommand;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A kustomize base and a Helm chart of one {@link Installation}. Stateless. */
final class InstallFiles {

    private static final String VALUES = "values.yaml";
    private static final String SCHEMA = "values.schema.json";
    private static final String OPERATOR = "operator";

    /** A whole line that is one place of a chart: key and place, or an item of a list. */
    private static final Pattern PLACE = Pattern.compile("( *)(- |([-A-Za-z]+): )\"?@@(\\w+)@@\"?");

    /** Values that are written where they stand. */
    private static final Map<String, String> SCALARS = Map.of(
            "namespace", "{{ .Release.Namespace }}",
            "image", "\"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}\"",
            "pullPolicy", "{{ .Values.image.pullPolicy }}",
            "replicas", "{{ .Values.replicas }}",
            "logFormat", "{{ .Values.log.format | quote }}",
            "logLevel", "{{ .Values.log.level | quote }}");

    /** Trees that are left out when they are empty. */
    private static final Map<String, String> TREES = Map.of(
            "pullSecrets", ".Values.image.pullSecrets",
            "resources", ".Values.resources",
            "nodeSelector", ".Values.nodeSelector",
            "tolerations", ".Values.tolerations",
            "affinity", ".Values.affinity",
            "extraArgs", ".Values.extraArgs");

    /** Files that a value can switch off. */
    private static final Map<String, String> OPTIONAL = Map.of(
            "poddisruptionbudget.yaml", ".Values.podDisruptionBudget.enabled",
            "networkpolicy.yaml", ".Values.networkPolicy.enabled");

    private InstallFiles() {}

    /**
     * A base for {@code kubectl apply -k}: file names and contents.
     *
     * @param image with tag or digest; null for the one of the chart's values
     * @param version of SRO
     */
    static Map<String, String> kustomize(
            String namespace, @Nullable String image, String version, List<LoadedPlugin> plugins) {
        Installation installation = new Installation(defaults(namespace, image, version), namespace, plugins);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("namespace.yaml", Yaml.of(installation.namespace()));
        files.put("crd.yaml", resource(CrdCommand.RESOURCE));
        files.put("crd-preflightvalidations.yaml", resource(CrdCommand.PREFLIGHTS));
        files.put("crd-specialresourcemodules.yaml", resource(CrdCommand.MODULES));
        installation.files().forEach((name, objects) -> files.put(name, Yaml.of(objects)));
        files.put(
                "kustomization.yaml",
                Yaml.of(map(
                        "apiVersion",
                        "kustomize.config.k8s.io/v1beta1",
                        "kind",
                        "Kustomization",
                        "resources",
                        List.copyOf(files.keySet()))));
        return files;
    }

    /**
     * A chart: file names and contents.
     *
     * @param version of SRO
     */
    static Map<String, String> helm(String version, List<LoadedPlugin> plugins) {
        Installation installation = new Installation(places(), "@@namespace@@", plugins);
        Map<String, String> files = new LinkedHashMap<>();
        files.put(
                "Chart.yaml",
                Yaml.of(map(
                        "apiVersion",
                        "v2",
                        "name",
                        Grant.NAME,
                        "description",
                        "Puts hardware accelerators to work in a Kubernetes cluster.",
                        "type",
                        "application",
                        "version",
                        version,
                        "appVersion",
                        version)));
        files.put(VALUES, own(VALUES));
        files.put(SCHEMA, own(SCHEMA));
        files.put("crds/specialresources.yaml", resource(CrdCommand.RESOURCE));
        files.put("crds/preflightvalidations.yaml", resource(CrdCommand.PREFLIGHTS));
        files.put("crds/specialresourcemodules.yaml", resource(CrdCommand.MODULES));
        installation.files().forEach((name, objects) -> {
            String text = template(Yaml.of(objects));
            String when = OPTIONAL.get(name);
            files.put("templates/" + name, when == null ? text : "{{- if " + when + " }}\n" + text + "{{- end }}\n");
        });
        return files;
    }

    /** What the chart's values say, for an installation without a chart. */
    static Installation.Values defaults(String namespace, @Nullable String image, String version) {
        Map<?, ?> values = new KubernetesSerialization().unmarshal(own(VALUES), Map.class);
        List<Object> args = new ArrayList<>();
        args.add(OPERATOR);
        args.addAll((List<?>) at(values, "extraArgs"));
        return new Installation.Values(
                namespace,
                image == null ? at(values, "image", "repository") + ":" + version : image,
                at(values, "image", "pullPolicy"),
                at(values, "image", "pullSecrets"),
                at(values, "replicas"),
                at(values, "resources"),
                at(values, "nodeSelector"),
                at(values, "tolerations"),
                at(values, "affinity"),
                at(values, "log", "format"),
                at(values, "log", "level"),
                args);
    }

    private static Object at(Map<?, ?> values, String... path) {
        Object found = values;
        for (String key : path) {
            found = found instanceof Map<?, ?> map ? map.get(key) : null;
        }
        if (found == null) {
            throw new IllegalStateException(VALUES + " has no " + String.join(".", path));
        }
        return found;
    }

    private static Installation.Values places() {
        return new Installation.Values(
                place("namespace"),
                place("image"),
                place("pullPolicy"),
                place("pullSecrets"),
                place("replicas"),
                place("resources"),
                place("nodeSelector"),
                place("tolerations"),
                place("affinity"),
                place("logFormat"),
                place("logLevel"),
                List.of(OPERATOR, place("extraArgs")));
    }

    private static String place(String name) {
        return "@@" + name + "@@";
    }

    private static String template(String yaml) {
        StringBuilder text = new StringBuilder();
        for (String line : yaml.split("\n", -1)) {
            Matcher place = PLACE.matcher(line);
            text.append(place.matches() ? filled(place) : line).append('\n');
        }
        text.setLength(text.length() - 1);
        if (text.indexOf("@@") >= 0) {
            throw new IllegalStateException("a place was not found in:\n" + text);
        }
        return text.toString();
    }

    private static String filled(Matcher place) {
        String indent = place.group(1);
        String scalar = SCALARS.get(place.group(4));
        if (scalar != null) {
            return indent + place.group(2) + scalar;
        }
        String value = TREES.get(place.group(4));
        boolean item = place.group(3) == null;
        int depth = indent.length() + (item ? 0 : 2);
        String content = item
                ? indent + "{{- toYaml . | nindent " + depth + " }}\n"
                : indent + place.group(3) + ": {{- toYaml . | nindent " + depth + " }}\n";
        return indent + "{{- with " + value + " }}\n" + content + indent + "{{- end }}";
    }

    private static String own(String name) {
        return resource("/dev/sro/runtime/install/" + name);
    }

    private static String resource(String path) {
        try (InputStream in = InstallFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
