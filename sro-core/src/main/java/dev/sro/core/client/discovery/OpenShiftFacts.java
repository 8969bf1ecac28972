package dev.sro.core.client.discovery;

import dev.sro.api.ClusterFacts;
import dev.sro.api.ProxySettings;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What charts ask of an OpenShift cluster, put together from the few objects that say it. Thread-safe. */
final class OpenShiftFacts {

    /** How the name of a secret begins that OpenShift gives to the service account of its builds. */
    private static final String PUSH_SECRET = "builder-dockercfg";

    private String version = "";
    private String machineOsImage = "";
    private ProxySettings proxy = ProxySettings.NONE;
    private ProxySettings inEffect = ProxySettings.NONE;
    private Map<String, String> toolkits = Map.of();
    private List<ToolkitReader.Tagged> allToolkits = List.of();
    private final SortedMap<String, String> pushSecrets = new TreeMap<>();

    /** Takes note of one of these objects. */
    synchronized void seen(KubeObject object) {
        switch (object.ref().kind()) {
            case "ClusterVersion" -> version = version(object);
            case "Proxy" -> {
                proxy = proxy(object.map("spec"));
                ProxySettings status = proxy(object.map("status"));
                inEffect = status.equals(ProxySettings.NONE) ? proxy : status;
            }
            case "ImageStream" -> {
                toolkits = tags(object);
                allToolkits = all(object);
            }
            case "ConfigMap" -> machineOsImage = ValueTrees.text(object.tree(), "data", "osImageURL");
            case "ServiceAccount" ->
                secret(object)
                        .ifPresentOrElse(
                                name -> pushSecrets.put(object.ref().namespace(), name),
                                () -> pushSecrets.remove(object.ref().namespace()));
            default -> throw new IllegalArgumentException("not asked for: " + object);
        }
    }

    /** Forgets one of these objects. */
    synchronized void gone(KubeObject object) {
        switch (object.ref().kind()) {
            case "ClusterVersion" -> version = "";
            case "Proxy" -> {
                proxy = ProxySettings.NONE;
                inEffect = ProxySettings.NONE;
            }
            case "ImageStream" -> {
                toolkits = Map.of();
                allToolkits = List.of();
            }
            case "ConfigMap" -> machineOsImage = "";
            default -> pushSecrets.remove(object.ref().namespace());
        }
    }

    /** These facts with all that is known. */
    synchronized ClusterFacts on(ClusterFacts cluster) {
        return ClusterFacts.builder()
                .from(cluster)
                .openShiftVersion(version)
                .machineOsImage(machineOsImage)
                .proxy(proxy)
                .driverToolkits(toolkits)
                .pushSecrets(pushSecrets)
                .build();
    }

    /** Every image of every tag of the driver toolkits, older ones too: nodes that wait for their upgrade run their kernels. */
    synchronized List<ToolkitReader.Tagged> toolkits() {
        return allToolkits;
    }

    /** The first of the history, which begins with the newest, that is complete: an update that goes on is none yet. */
    private static String version(KubeObject object) {
        return object.maps("status", "history").stream()
                .filter(entry -> ValueTrees.text(entry, "state").equals("Completed"))
                .map(entry -> ValueTrees.text(entry, "version"))
                .findFirst()
                .orElse("");
    }

    /** As OpenShift gives it to its own pods: with the networks of the cluster in noProxy, which what was asked for need not have. */
    synchronized ProxySettings proxyInEffect() {
        return inEffect;
    }

    private static ProxySettings proxy(Map<String, Object> spec) {
        return new ProxySettings(
                ValueTrees.text(spec, "httpProxy"),
                ValueTrees.text(spec, "httpsProxy"),
                ValueTrees.text(spec, "noProxy"),
                ValueTrees.text(spec, "trustedCA", "name"));
    }

    /** The newest image of each tag. */
    private static Map<String, String> tags(KubeObject object) {
        SortedMap<String, String> tags = new TreeMap<>();
        for (Map<String, Object> tag : object.maps("status", "tags")) {
            ValueTrees.maps(tag, "items").stream()
                    .max(Comparator.comparing(item -> ValueTrees.text(item, "created")))
                    .map(item -> ValueTrees.text(item, "dockerImageReference"))
                    .filter(image -> !image.isEmpty())
                    .ifPresent(image -> tags.put(ValueTrees.text(tag, "tag"), image));
        }
        return tags;
    }

    private static List<ToolkitReader.Tagged> all(KubeObject object) {
        List<ToolkitReader.Tagged> all = new ArrayList<>();
        for (Map<String, Object> tag : object.maps("status", "tags")) {
            for (Map<String, Object> item : ValueTrees.maps(tag, "items")) {
                String image = ValueTrees.text(item, "dockerImageReference");
                if (!image.isEmpty()) {
                    all.add(new ToolkitReader.Tagged(ValueTrees.text(tag, "tag"), image));
                }
            }
        }
        return List.copyOf(all);
    }

    private static Optional<String> secret(KubeObject account) {
        List<Map<String, Object>> names = new ArrayList<>(account.maps("imagePullSecrets"));
        names.addAll(account.maps("secrets"));
        return names.stream()
                .map(reference -> ValueTrees.text(reference, "name"))
                .filter(name -> name.contains(PUSH_SECRET))
                .findFirst();
    }
}
