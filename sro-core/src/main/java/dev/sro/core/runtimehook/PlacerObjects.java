package dev.sro.core.runtimehook;

import dev.sro.core.load.PodAccounts;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** What puts the files of variants onto nodes, for one special resource. Immutable. */
final class PlacerObjects {

    static final String CONTAINER = "runtime-files";

    private static final String SUFFIX = "-runtime";

    /** A name that a dash and 16 digits follow, and that becomes a label. */
    private static final int MAX_NAME = 63 - 17;

    private static final String RECORDS = "/var/lib/sro/runtime";

    private static final String FILES = "/sro";

    private static final String SCRIPT = script();

    private final String specialResource;
    private final String namespace;
    private final String base;
    private final boolean openShift;

    PlacerObjects(String specialResource, String namespace, boolean openShift) {
        this.specialResource = specialResource;
        this.namespace = namespace;
        this.openShift = openShift;
        this.base = MetadataKeys.fit(specialResource, MAX_NAME - SUFFIX.length()) + SUFFIX;
    }

    static String script() {
        try (InputStream in = Objects.requireNonNull(PlacerObjects.class.getResourceAsStream("place.sh"), "place.sh")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whom all of them run as. */
    List<KubeObject> account() {
        return PodAccounts.create(base, namespace, openShift);
    }

    /** The ConfigMap and the DaemonSet of a variant. */
    List<KubeObject> of(String digest, RuntimeVariant variant, String image) {
        Map<String, Object> data = data(variant);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("apiVersion", "v1");
        map.put("kind", "ConfigMap");
        // Pods keep theirs as long as they live: what changes is another object.
        map.put("metadata", Map.of("name", base + "-" + ValueTrees.digest(data)));
        map.put("immutable", true);
        map.put("data", data);
        return List.of(
                KubeObject.of(map),
                daemonSet(
                        digest,
                        base + "-" + ValueTrees.digest(data),
                        variant,
                        variant.image().orElse(image)));
    }

    private static Map<String, Object> data(RuntimeVariant variant) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("place.sh", SCRIPT);
        StringBuilder targets = new StringBuilder();
        int number = 0;
        for (Map.Entry<String, String> file : variant.files().entrySet()) {
            String key = "file-" + number++;
            data.put(key, file.getValue());
            targets.append(key).append(' ').append(file.getKey()).append('\n');
        }
        data.put("targets", targets.toString());
        return data;
    }

    private KubeObject daemonSet(String digest, String configMap, RuntimeVariant variant, String image) {
        String name = base + "-" + digest;
        Map<String, Object> rolling = new LinkedHashMap<>();
        // The new pod takes the files over before the old one goes.
        rolling.put("maxSurge", "10%");
        rolling.put("maxUnavailable", 0);
        Map<String, Object> strategy = new LinkedHashMap<>();
        strategy.put("type", "RollingUpdate");
        strategy.put("rollingUpdate", rolling);
        Map<String, Object> template = new LinkedHashMap<>();
        template.put("metadata", Map.of("labels", Map.of("app", name)));
        template.put("spec", podSpec(digest, configMap, variant, image));
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("updateStrategy", strategy);
        spec.put("selector", Map.of("matchLabels", Map.of("app", name)));
        spec.put("template", template);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("labels", Map.of("app", name));
        metadata.put("annotations", Map.of(MetadataKeys.RUNTIME_VARIANT, digest));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", "apps/v1");
        tree.put("kind", "DaemonSet");
        tree.put("metadata", metadata);
        tree.put("spec", spec);
        return KubeObject.of(tree);
    }

    private Map<String, Object> podSpec(String digest, String configMap, RuntimeVariant variant, String image) {
        List<Object> volumes = new ArrayList<>();
        List<Object> mounts = new ArrayList<>();
        volumes.add(volume("files", "configMap", Map.of("name", configMap)));
        mounts.add(mount("files", FILES, true));
        int number = 0;
        for (String directory : directories(variant)) {
            String name = "host-" + number++;
            Map<String, Object> path = new LinkedHashMap<>();
            path.put("path", directory);
            path.put("type", "DirectoryOrCreate");
            volumes.add(volume(name, "hostPath", path));
            mounts.add(mount(name, "/host" + directory, false));
        }
        Map<String, Object> toleration = new LinkedHashMap<>();
        toleration.put("key", "node.kubernetes.io/unschedulable");
        toleration.put("operator", "Exists");
        toleration.put("effect", "NoSchedule");
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("serviceAccountName", base);
        spec.put("automountServiceAccountToken", false);
        spec.put("priorityClassName", "system-node-critical");
        spec.put("terminationGracePeriodSeconds", 60);
        spec.put("nodeSelector", Map.of(MetadataKeys.runtimeLabel(specialResource), digest));
        spec.put("tolerations", List.of(toleration));
        spec.put("containers", List.of(container(image, mounts)));
        spec.put("volumes", volumes);
        return spec;
    }

    private static SortedSet<String> directories(RuntimeVariant variant) {
        SortedSet<String> directories = new TreeSet<>(List.of(RECORDS));
        variant.files().keySet().forEach(path -> directories.add(path.substring(0, path.lastIndexOf('/'))));
        return directories;
    }

    private Map<String, Object> container(String image, List<Object> mounts) {
        Map<String, Object> uid = new LinkedHashMap<>();
        uid.put("name", "SRO_OWNER");
        uid.put("valueFrom", Map.of("fieldRef", Map.of("fieldPath", "metadata.uid")));
        Map<String, Object> name = new LinkedHashMap<>();
        name.put("name", "SRO_NAME");
        name.put("value", specialResource);
        Map<String, Object> probe = new LinkedHashMap<>();
        probe.put("exec", Map.of("command", command("check")));
        probe.put("periodSeconds", 20);
        probe.put("timeoutSeconds", 10);
        Map<String, Object> startup = new LinkedHashMap<>(probe);
        startup.put("periodSeconds", 2);
        startup.put("failureThreshold", 30);
        Map<String, Object> resources = new LinkedHashMap<>();
        resources.put("requests", new LinkedHashMap<>(Map.of("cpu", "5m", "memory", "16Mi")));
        resources.put("limits", Map.of("memory", "64Mi"));
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", CONTAINER);
        container.put("image", image);
        container.put("command", command("run"));
        container.put("env", List.of(uid, name));
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        container.put("startupProbe", startup);
        container.put("readinessProbe", probe);
        container.put("resources", resources);
        container.put("securityContext", security());
        container.put("volumeMounts", mounts);
        return container;
    }

    private static List<String> command(String task) {
        return List.of("/bin/sh", FILES + "/place.sh", task);
    }

    /** The user that owns the directories, without any capability, and a label of SELinux that may write there. */
    private static Map<String, Object> security() {
        Map<String, Object> security = new LinkedHashMap<>();
        security.put("allowPrivilegeEscalation", false);
        security.put("capabilities", Map.of("drop", List.of("ALL")));
        security.put("readOnlyRootFilesystem", true);
        security.put("runAsUser", 0);
        security.put("seLinuxOptions", Map.of("type", "spc_t"));
        security.put("seccompProfile", Map.of("type", "RuntimeDefault"));
        return security;
    }

    private static Map<String, Object> volume(String name, String kind, Map<String, Object> source) {
        Map<String, Object> volume = new LinkedHashMap<>();
        volume.put("name", name);
        volume.put(kind, source);
        return volume;
    }

    private static Map<String, Object> mount(String name, String path, boolean readOnly) {
        Map<String, Object> mount = new LinkedHashMap<>();
        mount.put("name", name);
        mount.put("mountPath", path);
        if (readOnly) {
            mount.put("readOnly", true);
        }
        return mount;
    }
}
