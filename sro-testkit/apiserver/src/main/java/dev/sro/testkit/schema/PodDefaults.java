package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of pods and pod templates. */
final class PodDefaults {
    /** File mode 0644, as volumes show it. */
    private static final int FILE_MODE = 420;

    /** A name as registries have it: a host, folders of small letters, a tag. */
    private static final Pattern IMAGE =
            Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]+)?/)?[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*"
                    + "(/[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*)*(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?");

    /** What looks like a digest is no name. */
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private static final int MAX_NAME = 255;

    private PodDefaults() {}

    static void template(@Nullable ObjectNode template) {
        if (template != null) {
            spec(JsonTree.ensure(template, "spec"));
        }
    }

    static void spec(ObjectNode spec) {
        JsonTree.text(spec, "restartPolicy", "Always");
        JsonTree.number(spec, "terminationGracePeriodSeconds", 30);
        JsonTree.text(spec, "dnsPolicy", "ClusterFirst");
        JsonTree.ensure(spec, "securityContext");
        JsonTree.text(spec, "schedulerName", "default-scheduler");
        String account = JsonTree.text(spec, "serviceAccountName");
        if (account.isEmpty()) {
            account = JsonTree.text(spec, "serviceAccount");
        }
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
        for (String list : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
            for (ObjectNode container : JsonTree.objects(spec, list)) {
                container(container);
            }
        }
        for (ObjectNode volume : JsonTree.objects(spec, "volumes")) {
            volume(volume);
        }
    }

    /** Ports of a pod on its node's network are ports of the node; in templates that is left to the pods. */
    static void hostPorts(ObjectNode spec) {
        if (!spec.path("hostNetwork").asBoolean()) {
            return;
        }
        for (String list : new String[] {"initContainers", "containers"}) {
            for (ObjectNode container : JsonTree.objects(spec, list)) {
                for (ObjectNode port : JsonTree.objects(container, "ports")) {
                    JsonTree.nonZero(
                            port, "hostPort", port.path("containerPort").intValue());
                }
            }
        }
    }

    private static void container(ObjectNode container) {
        JsonTree.text(container, "terminationMessagePath", "/dev/termination-log");
        JsonTree.text(container, "terminationMessagePolicy", "File");
        JsonTree.text(container, "imagePullPolicy", pullPolicy(JsonTree.text(container, "image")));
        for (ObjectNode port : JsonTree.objects(container, "ports")) {
            JsonTree.text(port, "protocol", "TCP");
        }
        for (ObjectNode env : JsonTree.objects(container, "env")) {
            fieldRef(JsonTree.object(env, "valueFrom"));
            resourceFieldRef(JsonTree.object(env, "valueFrom"));
        }
        for (String probe : new String[] {"livenessProbe", "readinessProbe", "startupProbe"}) {
            probe(JsonTree.object(container, probe));
        }
        ObjectNode lifecycle = JsonTree.object(container, "lifecycle");
        for (String hook : new String[] {"postStart", "preStop"}) {
            httpGet(JsonTree.object(JsonTree.object(lifecycle, hook), "httpGet"));
        }
        for (ObjectNode mount : JsonTree.objects(container, "volumeMounts")) {
            if (mount.path("readOnly").asBoolean() && mount.has("recursiveReadOnly")) {
                JsonTree.text(mount, "recursiveReadOnly", "Disabled");
            }
        }
    }

    /** With the registry and the folder that go without saying. */
    private static boolean tooLong(String image) {
        String name = image.replaceFirst(":[^:/]*$", "");
        int said = name.contains("/") ? 0 : "docker.io/library/".length();
        return name.length() + said > MAX_NAME;
    }

    /** Images without a tag, or with {@code latest}, are always pulled. */
    static String pullPolicy(String image) {
        if (image.contains("@") || !IMAGE.matches(image) || DIGEST.matches(image) || tooLong(image)) {
            // What is no name of an image has no tag that could be the latest.
            return "IfNotPresent";
        }
        int colon = image.lastIndexOf(':');
        boolean tagged = colon > image.lastIndexOf('/');
        String tag = tagged ? image.substring(colon + 1) : "latest";
        return tag.equals("latest") ? "Always" : "IfNotPresent";
    }

    private static void probe(@Nullable ObjectNode probe) {
        if (probe == null) {
            return;
        }
        JsonTree.nonZero(probe, "timeoutSeconds", 1);
        JsonTree.nonZero(probe, "periodSeconds", 10);
        JsonTree.nonZero(probe, "successThreshold", 1);
        JsonTree.nonZero(probe, "failureThreshold", 3);
        httpGet(JsonTree.object(probe, "httpGet"));
        ObjectNode grpc = JsonTree.object(probe, "grpc");
        if (grpc != null && !grpc.has("service")) {
            grpc.put("service", "");
        }
    }

    private static void httpGet(@Nullable ObjectNode get) {
        if (get != null) {
            JsonTree.text(get, "path", "/");
            JsonTree.text(get, "scheme", "HTTP");
        }
    }

    private static void fieldRef(@Nullable ObjectNode source) {
        ObjectNode ref = JsonTree.object(source, "fieldRef");
        if (ref != null) {
            JsonTree.text(ref, "apiVersion", "v1");
        }
    }

    private static void resourceFieldRef(@Nullable ObjectNode source) {
        ObjectNode ref = JsonTree.object(source, "resourceFieldRef");
        if (ref != null && !ref.has("divisor")) {
            ref.put("divisor", "0");
        }
    }

    private static void volume(ObjectNode volume) {
        if (volume.size() == 1 && volume.has("name")) {
            volume.putObject("emptyDir");
            return;
        }
        for (String source : new String[] {"secret", "configMap", "downwardAPI", "projected"}) {
            ObjectNode node = JsonTree.object(volume, source);
            if (node != null) {
                JsonTree.number(node, "defaultMode", FILE_MODE);
                items(node);
            }
        }
        for (ObjectNode source : JsonTree.objects(volume.get("projected"), "sources")) {
            ObjectNode token = JsonTree.object(source, "serviceAccountToken");
            if (token != null) {
                JsonTree.number(token, "expirationSeconds", 3600);
            }
            items(JsonTree.object(source, "downwardAPI"));
        }
        ObjectNode hostPath = JsonTree.object(volume, "hostPath");
        if (hostPath != null && !hostPath.has("type")) {
            hostPath.put("type", "");
        }
        ObjectNode ephemeral = JsonTree.object(JsonTree.object(volume, "ephemeral"), "volumeClaimTemplate");
        if (ephemeral != null) {
            JsonTree.ensure(ephemeral, "metadata");
            BuiltinDefaults.claimSpec(JsonTree.ensure(ephemeral, "spec"));
        }
    }

    private static void items(@Nullable ObjectNode source) {
        for (ObjectNode item : JsonTree.objects(source, "items")) {
            fieldRef(item);
            resourceFieldRef(item);
        }
    }

    /** Pods only, not templates: a limit is also the request unless there is one. */
    static void requestsFromLimits(ObjectNode spec) {
        for (String list : new String[] {"initContainers", "containers"}) {
            for (ObjectNode container : JsonTree.objects(spec, list)) {
                ObjectNode resources = JsonTree.object(container, "resources");
                ObjectNode limits = JsonTree.object(resources, "limits");
                if (resources != null && limits != null && !limits.isEmpty()) {
                    ObjectNode requests = JsonTree.ensure(resources, "requests");
                    for (Map.Entry<String, JsonNode> limit : limits.properties()) {
                        if (!requests.has(limit.getKey())) {
                            requests.set(limit.getKey(), limit.getValue());
                        }
                    }
                }
            }
        }
    }
}
