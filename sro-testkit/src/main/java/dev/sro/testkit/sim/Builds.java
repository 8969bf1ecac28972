package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes the objects of an OpenShift build: the Build of a BuildConfig, and the pod of a Build. */
final class Builds {
    /** Names the Build that a pod works for. */
    static final String POD_ANNOTATION = "openshift.io/build.name";

    private static final String API = "build.openshift.io/v1";

    private Builds() {}

    static ObjectNode build(ObjectNode config, int number, String cause) {
        String name = JsonNodes.name(config);
        ObjectNode build = JsonNodes.object().put("apiVersion", API).put("kind", "Build");
        ObjectNode meta = build.putObject("metadata");
        meta.put("name", name + "-" + number).put("namespace", JsonNodes.namespace(config));
        ObjectNode labels = meta.putObject("labels");
        JsonNodes.strings(config, "metadata", "labels").forEach(labels::put);
        labels.put("buildconfig", name);
        labels.put("openshift.io/build-config.name", name);
        labels.put("openshift.io/build.start-policy", policy(config));
        meta.putObject("annotations")
                .put("openshift.io/build-config.name", name)
                .put("openshift.io/build.number", String.valueOf(number));
        meta.putArray("ownerReferences").add(JsonNodes.ownerReference(config, API, "BuildConfig"));
        ObjectNode spec = build.putObject("spec");
        for (String field : new String[] {
            "serviceAccount",
            "source",
            "revision",
            "strategy",
            "output",
            "resources",
            "postCommit",
            "nodeSelector",
            "completionDeadlineSeconds"
        }) {
            JsonNode value = JsonNodes.at(config, "spec", field);
            if (!value.isMissingNode()) {
                spec.set(field, value.deepCopy());
            }
        }
        spec.putArray("triggeredBy").addObject().put("message", cause);
        ObjectNode status = build.putObject("status").put("phase", "New");
        status.putObject("config")
                .put("kind", "BuildConfig")
                .put("name", name)
                .put("namespace", JsonNodes.namespace(config));
        return build;
    }

    static String policy(JsonNode config) {
        String policy = JsonNodes.text(config, "spec", "runPolicy");
        return policy.isEmpty() ? "Serial" : policy;
    }

    static ObjectNode pod(ObjectNode build) {
        ObjectNode pod = JsonNodes.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode meta = pod.putObject("metadata");
        meta.put("name", JsonNodes.name(build) + "-build").put("namespace", JsonNodes.namespace(build));
        meta.putObject("labels").put(POD_ANNOTATION, JsonNodes.name(build));
        meta.putObject("annotations").put(POD_ANNOTATION, JsonNodes.name(build));
        meta.putArray("ownerReferences").add(JsonNodes.ownerReference(build, API, "Build"));
        ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never");
        String account = JsonNodes.text(build, "spec", "serviceAccount");
        spec.put("serviceAccountName", account.isEmpty() ? "builder" : account);
        String strategy = JsonNodes.text(build, "spec", "strategy", "type");
        String container = switch (strategy) {
            case "Source" -> "sti-build";
            case "Custom" -> "custom-build";
            default -> "docker-build";
        };
        ObjectNode c = spec.putArray("containers").addObject();
        c.put("name", container)
                .put("image", "openshift/origin-" + (container.equals("sti-build") ? "sti" : "docker") + "-builder");
        JsonNode selector = JsonNodes.at(build, "spec", "nodeSelector");
        if (!selector.isEmpty()) {
            spec.set("nodeSelector", selector.deepCopy());
        }
        spec.putArray("tolerations");
        return pod;
    }

    static boolean over(JsonNode build) {
        return switch (JsonNodes.text(build, "status", "phase")) {
            case "Complete", "Failed", "Error", "Cancelled" -> true;
            default -> false;
        };
    }
}
