package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.client.rights.Grant;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.runtime.CrdCommand;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A kustomize base and a Helm chart of one {@link Installation}. Stateless. */
final class InstallFiles {

    private static final String VALUES = "values.yaml";
    private static final String SCHEMA = "values.schema.json";
    private static final String OPERATOR = "operator";

    /** Where clusters have what watches: its own base, as not all have the kinds. */
    private static final String MONITORING = "monitoring/";

    /** Of a plugin, or for builds. */
    private static final String RIGHTS = "rbac.yaml";

    /** Where values and their schema name plugins. */
    private static final String NO_PLUGINS = "plugins: []";

    private static final String NAMED_PLUGINS = "\"enum\": [\"plugins\"]";

    private static final String WATCHED = ".Values.monitoring.enabled";

    /** A whole line that is one place of a chart: key and place, or an item of a list. */
    private static final Pattern PLACE = Pattern.compile("( *)(- |([-A-Za-z]+): )\"?@@(\\w+)@@\"?");

    /** Values that are written where they stand. */
    private static final Map<String, String> SCALARS = both(
            Map.of(
                    "namespace", "{{ .Release.Namespace }}",
                    "image", "\"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}\"",
                    "pullPolicy", "{{ .Values.image.pullPolicy }}",
                    "replicas", "{{ .Values.replicas }}",
                    "logFormat", "{{ .Values.log.format | quote }}",
                    "logLevel", "{{ .Values.log.level | quote }}",
                    "runtimeImage", "{{ .Values.runtimeImage | quote }}",
                    "webhookAddress", "{{ ternary \"0.0.0.0:9443\" \"none\" .Values.webhook.enabled | quote }}",
                    "webhookAnnotations", "{{ .Values.webhook.annotations | quote }}"),
            Map.of(
                    "recipeAccount",
                    "{{ ternary \"sro-recipe\" \"\" .Values.recipeAccounts.enabled | quote }}",
                    "outgoing",
                    "{{ .Values.outgoing | quote }}",
                    "metricsAddress",
                    secured("0.0.0.0:8443", "none") + " | quote }}",
                    "metricsPort",
                    secured("metrics", "http") + " }}",
                    "metricsScheme",
                    secured("https", "http") + " }}",
                    "metricsNumber",
                    "{{ ternary 8443 8080 .Values.metrics.authentication }}"));

    /** Trees that are left out when they are empty. */
    private static final Map<String, String> TREES = both(
            Map.of(
                    "pullSecrets", ".Values.image.pullSecrets",
                    "resources", ".Values.resources",
                    "nodeSelector", ".Values.nodeSelector",
                    "tolerations", ".Values.tolerations",
                    "affinity", ".Values.affinity",
                    "webhookServiceAnnotations", ".Values.webhook.serviceAnnotations",
                    "extraArgs", ".Values.extraArgs",
                    "monitoringLabels", ".Values.monitoring.labels"),
            Map.of(
                    "extraEnv", ".Values.extraEnv",
                    "extraVolumes", ".Values.extraVolumes",
                    "extraVolumeMounts", ".Values.extraVolumeMounts",
                    "metricsFrom", ".Values.networkPolicy.metricsFrom",
                    "egressPorts", ".Values.networkPolicy.egressPorts"));

    /** Files that a value can switch off. */
    private static final Map<String, String> OPTIONAL = Map.of(
            "rbac-recipes.yaml",
            ".Values.recipeAccounts.enabled",
            "webhook.yaml",
            ".Values.webhook.enabled",
            "poddisruptionbudget.yaml",
            ".Values.podDisruptionBudget.enabled",
            "networkpolicy.yaml",
            ".Values.networkPolicy.enabled",
            "servicemonitor.yaml",
            WATCHED,
            "prometheusrule.yaml",
            WATCHED,
            "dashboard.yaml",
            WATCHED,
            "grafanadashboard.yaml",
            "and " + WATCHED + " (or .Values.monitoring.grafanaOperator (.Capabilities.APIVersions.Has"
                    + " \"grafana.integreatly.org/v1beta1/GrafanaDashboard\"))");

    private InstallFiles() {}

    private static Map<String, String> both(Map<String, String> some, Map<String, String> others) {
        Map<String, String> all = new HashMap<>(some);
        all.putAll(others);
        return Map.copyOf(all);
    }

    private static String secured(String authenticated, String open) {
        return "{{ ternary \"" + authenticated + "\" \"" + open + "\" .Values.metrics.authentication";
    }

    /**
     * A base for {@code kubectl apply -k}: file names and contents.
     *
     * @param image with tag or digest; null for the one of the chart's values
     * @param version of SRO
     */
    static Map<String, String> kustomize(
            String namespace, @Nullable String image, String version, PluginChoice plugins, Grant.Further further) {
        Installation installation =
                new Installation(defaults(namespace, image, version), namespace, plugins.chosen(), further);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("namespace.yaml", Yaml.write(installation.namespace()));
        files.put("crd.yaml", resource(CrdCommand.RESOURCE));
        files.put("crd-preflightvalidations.yaml", resource(CrdCommand.PREFLIGHTS));
        files.put("crd-specialresourcemodules.yaml", resource(CrdCommand.MODULES));
        installation.files().forEach((name, objects) -> files.put(name, Yaml.write(objects)));
        files.put("kustomization.yaml", base(List.copyOf(files.keySet())));
        addBase(files, MONITORING, installation.monitoring());
        addBase(files, "grafana/", installation.grafana());
        for (LoadedPlugin plugin : plugins.others()) {
            addBase(files, "plugins/" + plugin.name() + "/", Map.of(RIGHTS, installation.access(plugin)));
        }
        installation.optionalBuilds().ifPresent(objects -> addBase(files, "builds/", Map.of(RIGHTS, objects)));
        installation
                .optionalPartitioning()
                .ifPresent(objects -> addBase(files, "partitioning/", Map.of(RIGHTS, objects)));
        files.putAll(SliceFiles.kustomize(defaults(namespace, image, version), namespace));
        return files;
    }

    /** A base of its own: it is applied beside the other one. */
    private static void addBase(
            Map<String, String> files, String folder, Map<String, List<Map<String, Object>>> contents) {
        contents.forEach((name, objects) -> files.put(folder + name, Yaml.write(objects)));
        files.put(folder + "kustomization.yaml", base(List.copyOf(contents.keySet())));
    }

    static String base(List<String> files) {
        return Yaml.write(map(
                "apiVersion", "kustomize.config.k8s.io/v1beta1",
                "kind", "Kustomization",
                "resources", files));
    }

    /**
     * A chart: file names and contents.
     *
     * @param version of SRO
     */
    static Map<String, String> helm(String version, PluginChoice plugins, Grant.Further further) {
        Installation installation = new Installation(places(), "@@namespace@@", List.of(), further);
        Map<String, String> files = new LinkedHashMap<>();
        files.put(
                "Chart.yaml",
                Yaml.write(map(
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
        files.put(
                VALUES,
                own(VALUES)
                        .replace(
                                NO_PLUGINS,
                                "plugins: [" + names(plugins.chosen(), "").collect(Collectors.joining(", ")) + "]"));
        files.put(
                SCHEMA,
                own(SCHEMA)
                        .replace(
                                NAMED_PLUGINS,
                                "\"enum\": [" + names(plugins.plugins(), "\"").collect(Collectors.joining(", "))
                                        + "]"));
        files.put("crds/specialresources.yaml", resource(CrdCommand.RESOURCE));
        files.put("crds/preflightvalidations.yaml", resource(CrdCommand.PREFLIGHTS));
        files.put("crds/specialresourcemodules.yaml", resource(CrdCommand.MODULES));
        Map<String, List<Map<String, Object>>> templates = new LinkedHashMap<>(installation.files());
        Map<String, String> conditions = new HashMap<>(OPTIONAL);
        installation.optionalBuilds().ifPresent(objects -> {
            templates.put("rbac-builds.yaml", objects);
            conditions.put("rbac-builds.yaml", builders(plugins));
        });
        installation.optionalPartitioning().ifPresent(objects -> {
            templates.put("rbac-partitioning.yaml", objects);
            conditions.put("rbac-partitioning.yaml", "or .Values.partitioning.enabled .Values.webhook.enabled");
        });
        for (LoadedPlugin plugin : plugins.plugins()) {
            String name = "rbac-plugin-" + plugin.name() + ".yaml";
            templates.put(name, installation.access(plugin));
            conditions.put(name, chosen(plugin));
        }
        templates.putAll(installation.monitoring());
        templates.putAll(installation.grafana());
        templates.forEach((name, objects) -> {
            String text = template(Yaml.write(objects));
            String when = conditions.get(name);
            files.put("templates/" + name, when == null ? text : "{{- if " + when + " }}\n" + text + "{{- end }}\n");
        });
        SliceFiles.helm(places()).forEach((name, text) -> files.put("templates/" + name, text));
        return files;
    }

    private static Stream<String> names(List<LoadedPlugin> plugins, String quote) {
        return plugins.stream().map(plugin -> quote + plugin.name() + quote);
    }

    private static String chosen(LoadedPlugin plugin) {
        return "has \"" + plugin.name() + "\" .Values.plugins";
    }

    /** When somebody asks for builds, or chooses a plugin that says how its images are built. */
    private static String builders(PluginChoice plugins) {
        String value = ".Values.builds.enabled";
        String any = plugins.plugins().stream()
                .filter(Grant::builds)
                .map(plugin -> " (" + chosen(plugin) + ")")
                .collect(Collectors.joining());
        return any.isEmpty() ? value : "or " + value + any;
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
                at(values, "runtimeImage"),
                "none",
                at(values, "webhook", "annotations"),
                at(values, "webhook", "serviceAnnotations"),
                args,
                at(values, "monitoring", "labels"),
                new Installation.Openings(
                        RecipeAccount.DEFAULT,
                        at(values, "outgoing"),
                        at(values, "extraEnv"),
                        at(values, "extraVolumes"),
                        at(values, "extraVolumeMounts"),
                        "0.0.0.0:" + Installation.METRICS_PORT,
                        Installation.METRICS_PORT_NAME,
                        "https",
                        Installation.METRICS_PORT,
                        at(values, "networkPolicy", "metricsFrom"),
                        at(values, "networkPolicy", "egressPorts")));
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
                place("runtimeImage"),
                place("webhookAddress"),
                place("webhookAnnotations"),
                place("webhookServiceAnnotations"),
                List.of(OPERATOR, place("extraArgs")),
                place("monitoringLabels"),
                new Installation.Openings(
                        place("recipeAccount"),
                        place("outgoing"),
                        place("extraEnv"),
                        place("extraVolumes"),
                        place("extraVolumeMounts"),
                        place("metricsAddress"),
                        place("metricsPort"),
                        place("metricsScheme"),
                        place("metricsNumber"),
                        place("metricsFrom"),
                        place("egressPorts")));
    }

    private static String place(String name) {
        return "@@" + name + "@@";
    }

    /** Alerts and dashboards have templates of their own, which are not Helm's. */
    static String template(String yaml) {
        StringBuilder text = new StringBuilder();
        for (String line : yaml.replace("{{", "{{ \"{{\" }}").split("\n", -1)) {
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
        String scalar = SCALARS.getOrDefault(place.group(4), SliceFiles.SCALARS.get(place.group(4)));
        if (scalar != null) {
            return indent + place.group(2) + scalar;
        }
        String value = TREES.getOrDefault(place.group(4), SliceFiles.TREES.get(place.group(4)));
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

    static String resource(String path) {
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
