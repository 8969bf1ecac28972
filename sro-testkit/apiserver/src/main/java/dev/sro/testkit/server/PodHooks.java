package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What admission adds to pods: service account token, tolerations, priority, quality of service. */
final class PodHooks {
    private static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String TOKEN_VOLUME = "kube-api-access-";
    private static final long DEFAULT_GRACE = 30;
    /** Accounts that controllers make in every namespace, of a cluster and of OpenShift: they may not be there yet. */
    private static final Set<String> OF_NAMESPACES = Set.of("default", "builder", "deployer");

    private final Ids ids;
    private final Supplier<Instant> now;
    private final PriorityAdmission priorities;
    private final RuntimeClassAdmission classes;
    private final Store store;

    PodHooks(Ids ids, Store store, Supplier<Instant> now) {
        this.now = now;
        this.ids = ids;
        this.store = store;
        this.priorities = new PriorityAdmission(store);
        this.classes = new RuntimeClassAdmission(store);
    }

    void admit(ObjectNode pod, WriteCall call) {
        ObjectNode spec = KindHooks.own(pod, "spec");
        serviceAccount(spec, call);
        tolerations(spec);
        priorities.complete(spec, call);
        classes.complete(spec, call);
        spec.put("enableServiceLinks", spec.path("enableServiceLinks").asBoolean(true));
    }

    /** Admission looks at changed pods too: what they must tolerate cannot be taken away. */
    static void update(ObjectNode pod, JsonNode old) {
        ObjectNode spec = KindHooks.own(pod, "spec");
        tolerations(spec);
        for (String field : List.of("priority", "preemptionPolicy")) {
            if (!spec.hasNonNull(field) && old.path("spec").hasNonNull(field)) {
                spec.set(field, old.path("spec").get(field));
            }
        }
    }

    void checkNode(ObjectNode pod, ObjectNode old, WriteCall call) {
        String node = Json.text(pod, "spec", "nodeName");
        boolean same = pod.path("spec").equals(old.path("spec"));
        if (!same && !node.isEmpty() && store.get(Gvr.NODES, Key.of(null, node)) == null) {
            throw Errors.forbidden(Gvr.PODS, call.name, "node \"" + node + "\" not found");
        }
    }

    /**
     * Completes a changed status. The one address and the first of all are the same; where they differ, the one counts. Who leaves the
     * class of the pod out keeps it.
     */
    static void status(ObjectNode pod, JsonNode old) {
        ObjectNode status = KindHooks.own(pod, "status");
        if (Json.text(status, "qosClass").isEmpty() && old.path("status").has("qosClass")) {
            status.set("qosClass", old.path("status").get("qosClass"));
        }
        String one = Json.text(status, "podIP");
        String first = status.path("podIPs").path(0).path("ip").asText();
        if (!one.isEmpty() && !one.equals(first)) {
            status.putArray("podIPs").addObject().put("ip", one);
        } else if (one.isEmpty() && !first.isEmpty()) {
            status.put("podIP", first);
        }
    }

    void create(ObjectNode pod) {
        ObjectNode spec = KindHooks.own(pod, "spec");
        if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
            spec.put("terminationGracePeriodSeconds", 1);
        }
        ObjectNode status = KindHooks.own(pod, "status");
        status.put("phase", "Pending");
        status.put("qosClass", qosClass(spec));
        if (!spec.path("schedulingGates").isEmpty()) {
            status.putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .putNull("lastProbeTime")
                    .put(
                            "lastTransitionTime",
                            now.get().truncatedTo(ChronoUnit.SECONDS).toString())
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
        }
    }

    /** Pods not bound to a node, and pods that have ended, go at once. */
    static long gracePeriod(ObjectNode pod, @Nullable Long requested) {
        JsonNode spec = pod.path("spec");
        long grace = requested != null
                ? requested
                : spec.path("terminationGracePeriodSeconds").asLong(DEFAULT_GRACE);
        String phase = Json.text(pod, "status", "phase");
        if (Json.text(spec, "nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
            return 0;
        }
        return grace < 0 ? 1 : grace;
    }

    /** An account that somebody names has to be there; those of every namespace may still be made. */
    private void serviceAccount(ObjectNode spec, WriteCall call) {
        String account = Json.text(spec, "serviceAccountName");
        if (account.isEmpty()) {
            account = "default";
            spec.put("serviceAccountName", account);
        }
        spec.put("serviceAccount", account);
        Stored found = store.get(Gvr.SERVICEACCOUNTS, Key.of(call.namespace, account));
        if (found == null && !OF_NAMESPACES.contains(account)) {
            throw Errors.forbidden(
                    Gvr.PODS,
                    call.name,
                    "error looking up service account " + call.namespace + "/" + account + ": serviceaccount \""
                            + account + "\" not found");
        }
        JsonNode its = found == null ? Json.object() : found.object();
        if (spec.path("imagePullSecrets").isEmpty()
                && !its.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", its.get("imagePullSecrets").deepCopy());
        }
        boolean wanted = its.path("automountServiceAccountToken").asBoolean(true);
        if (spec.path("automountServiceAccountToken").asBoolean(wanted)) {
            mountToken(spec);
        }
    }

    private void mountToken(ObjectNode spec) {
        String present = tokenVolume(spec);
        String volume = present.isEmpty() ? TOKEN_VOLUME + ids.suffix() : present;
        boolean mounted = false;
        for (String field : new String[] {"initContainers", "containers"}) {
            if (spec.get(field) instanceof ArrayNode containers) {
                ArrayNode copies = spec.arrayNode();
                for (JsonNode container : containers) {
                    boolean has = hasToken(container);
                    mounted |= !has;
                    copies.add(has ? container : mountInto(container, volume));
                }
                spec.set(field, copies);
            }
        }
        if (mounted && present.isEmpty()) {
            ArrayNode volumes = spec.arrayNode();
            spec.path("volumes").forEach(volumes::add);
            volumes.add(tokenVolume(volume));
            spec.set("volumes", volumes);
        }
    }

    /** The volume of the token, where there is one already. */
    private static String tokenVolume(JsonNode spec) {
        for (JsonNode volume : spec.path("volumes")) {
            if (Json.text(volume, "name").startsWith(TOKEN_VOLUME)) {
                return Json.text(volume, "name");
            }
        }
        return "";
    }

    private static boolean hasToken(JsonNode container) {
        for (JsonNode mount : container.path("volumeMounts")) {
            if (Json.text(mount, "mountPath").equals(TOKEN_PATH)) {
                return true;
            }
        }
        return !container.isObject();
    }

    private static ObjectNode mountInto(JsonNode container, String volume) {
        ObjectNode node = (ObjectNode) container;
        ArrayNode mounts = node.arrayNode();
        node.path("volumeMounts").forEach(mounts::add);
        mounts.addObject().put("name", volume).put("readOnly", true).put("mountPath", TOKEN_PATH);
        ObjectNode copy = Json.shallow(node);
        copy.set("volumeMounts", mounts);
        return copy;
    }

    private static ObjectNode tokenVolume(String name) {
        ObjectNode volume = Json.object().put("name", name);
        ObjectNode projected = volume.putObject("projected");
        ArrayNode sources = projected.putArray("sources");
        sources.addObject()
                .putObject("serviceAccountToken")
                .put("expirationSeconds", 3607)
                .put("path", "token");
        ObjectNode ca = sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
        ca.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
        ObjectNode item = sources.addObject()
                .putObject("downwardAPI")
                .putArray("items")
                .addObject()
                .put("path", "namespace");
        item.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
        projected.put("defaultMode", 420);
        return volume;
    }

    private static void tolerations(ObjectNode spec) {
        ArrayNode tolerations = spec.arrayNode();
        boolean notReady = false;
        boolean unreachable = false;
        for (JsonNode toleration : spec.path("tolerations")) {
            String key = Json.text(toleration, "key");
            String effect = Json.text(toleration, "effect");
            if (effect.isEmpty() || effect.equals("NoExecute")) {
                notReady |= key.isEmpty() || key.equals("node.kubernetes.io/not-ready");
                unreachable |= key.isEmpty() || key.equals("node.kubernetes.io/unreachable");
            }
            tolerations.add(toleration);
        }
        if (!notReady) {
            tolerate(tolerations, "node.kubernetes.io/not-ready");
        }
        if (!unreachable) {
            tolerate(tolerations, "node.kubernetes.io/unreachable");
        }
        if (!tolerations.isEmpty()) {
            spec.set("tolerations", tolerations);
        }
    }

    private static void tolerate(ArrayNode tolerations, String key) {
        tolerations
                .addObject()
                .put("key", key)
                .put("operator", "Exists")
                .put("effect", "NoExecute")
                .put("tolerationSeconds", 300);
    }

    /** Guaranteed if every container limits cpu and memory to what it requests, BestEffort if none asks for anything. */
    static String qosClass(JsonNode spec) {
        boolean any = false;
        boolean guaranteed = true;
        for (String field : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : spec.path(field)) {
                JsonNode requests = container.path("resources").path("requests");
                JsonNode limits = container.path("resources").path("limits");
                Set<String> limited = new HashSet<>();
                for (String resource : new String[] {"cpu", "memory"}) {
                    any |= requests.has(resource) || limits.has(resource);
                    if (limits.has(resource)
                            && (!requests.has(resource)
                                    || requests.get(resource)
                                            .asText()
                                            .equals(limits.get(resource).asText()))) {
                        limited.add(resource);
                    }
                }
                guaranteed &= limited.size() == 2;
            }
        }
        if (!any) {
            return "BestEffort";
        }
        return guaranteed ? "Guaranteed" : "Burstable";
    }
}
