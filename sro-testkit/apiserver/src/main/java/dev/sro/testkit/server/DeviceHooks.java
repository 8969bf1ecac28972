package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server does to devices and claims beside defaults and validation: fields of features that are off by default in 1.36 are
 * dropped, taints get a time, the status of devices that a claim gives back goes, and admin access needs a label on the namespace.
 */
final class DeviceHooks {
    private static final String ADMIN = "resource.kubernetes.io/admin-access";
    private static final List<String> LISTS = List.of("bools", "ints", "strings", "versions");

    private final Store store;
    private final Supplier<Instant> now;

    DeviceHooks(Store store, Supplier<Instant> now) {
        this.store = store;
        this.now = now;
    }

    void slice(ObjectNode slice, WriteCall call) {
        if (!(slice.get("spec") instanceof ObjectNode given)) {
            return;
        }
        String driver = Json.text(given, "driver");
        if (!driver.equals(driver.toLowerCase(Locale.ROOT))) {
            call.warnings.add(
                    "spec.driver: driver names should be lowercase; \"" + driver + "\" contains uppercase characters");
        }
        if (given.path("devices").isEmpty()) {
            return;
        }
        ObjectNode spec = given.deepCopy();
        spec.path("devices").forEach(this::device);
        slice.set("spec", spec);
    }

    private void device(JsonNode json) {
        if (!(json instanceof ObjectNode device)) {
            return;
        }
        device.remove("nodeAllocatableResourceMappings");
        device.path("attributes").forEach(attribute -> {
            if (attribute instanceof ObjectNode a) {
                a.remove(LISTS);
            }
        });
        device.path("taints").forEach(taint -> {
            if (taint instanceof ObjectNode t && !t.hasNonNull("timeAdded")) {
                t.put("timeAdded", now.get().truncatedTo(ChronoUnit.SECONDS).toString());
            }
        });
    }

    /** What drivers said of devices that a claim does not have any more goes with them. */
    void claimStatus(ObjectNode next, ObjectNode old) {
        if (!(next.path("status").path("devices") instanceof ArrayNode devices) || devices.isEmpty()) {
            return;
        }
        Set<String> gone = allocated(old);
        gone.removeAll(allocated(next));
        ArrayNode kept = devices.arrayNode();
        for (JsonNode device : devices) {
            if (!gone.contains(id(device))) {
                kept.add(device);
            }
        }
        if (kept.size() < devices.size()) {
            ObjectNode status = Json.shallow((ObjectNode) next.path("status"));
            if (kept.isEmpty()) {
                status.remove("devices");
            } else {
                status.set("devices", kept);
            }
            next.set("status", status);
        }
    }

    private static Set<String> allocated(ObjectNode claim) {
        Set<String> ids = new HashSet<>();
        claim.path("status").path("allocation").path("devices").path("results").forEach(r -> ids.add(id(r)));
        return ids;
    }

    private static String id(JsonNode device) {
        return Json.text(device, "driver") + "/" + Json.text(device, "pool") + "/" + Json.text(device, "device") + "/"
                + Json.text(device, "shareID");
    }

    /** Whether admin access is asked for, or is given for the first time, in a namespace that does not allow it. */
    List<FieldError> adminAccess(ObjectNode object, @Nullable ObjectNode old) {
        String at;
        if (old == null) {
            at = first(object.path("spec").path("devices").path("requests"), "spec.devices.requests", "exactly");
        } else if (first(results(old), "old", "").isEmpty()) {
            at = first(results(object), "status.allocation.devices.results", "");
        } else {
            at = "";
        }
        return allowed(object, at);
    }

    /** The same of a new template; the place is that in a claim, as kube-apiserver names it. */
    List<FieldError> adminAccessByTemplate(ObjectNode object, @Nullable ObjectNode old) {
        JsonNode requests = object.path("spec").path("spec").path("devices").path("requests");
        return old == null ? allowed(object, first(requests, "spec.devices.requests", "exactly")) : List.of();
    }

    private List<FieldError> allowed(ObjectNode object, String at) {
        if (at.isEmpty()
                || Json.text(namespace(object), "metadata", "labels", ADMIN).equals("true")) {
            return List.of();
        }
        return List.of(FieldError.forbidden(
                at + ".adminAccess",
                "admin access to devices requires the `" + ADMIN + ": true` label on the containing namespace"));
    }

    private ObjectNode namespace(ObjectNode object) {
        Stored found = store.get(Gvr.NAMESPACES, Key.of(null, Json.namespace(object)));
        return found == null ? Json.object() : found.object();
    }

    private static JsonNode results(ObjectNode claim) {
        return claim.path("status").path("allocation").path("devices").path("results");
    }

    private static String first(JsonNode list, String path, String inside) {
        int i = 0;
        for (JsonNode item : list) {
            JsonNode of = inside.isEmpty() ? item : item.path(inside);
            if (of.path("adminAccess").asBoolean()) {
                return path + "[" + i + "]";
            }
            i++;
        }
        return "";
    }
}
