package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Validation of events, of the old group and of their own. One use. */
final class EventValidation {
    private static final int MAX = 128;
    private static final int MAX_TEXT = 1024;

    private final Checks checks = new Checks(new ArrayList<>());
    private final ObjectNode event;
    /** The old group calls some fields otherwise, and asks for less. */
    private final boolean old;

    private EventValidation(ObjectNode event, boolean old) {
        this.event = event;
        this.old = old;
    }

    /** A new event; the object is of the group {@code events.k8s.io}, or of the core. */
    static List<FieldError> created(ObjectNode event, boolean core) {
        EventValidation v = new EventValidation(event, core);
        v.whatBothAsk();
        if (!core) {
            v.whatNewOnesAsk();
        }
        return v.checks.errors();
    }

    /** A changed event: only what both groups ask. */
    static List<FieldError> updated(ObjectNode event, boolean core) {
        EventValidation v = new EventValidation(event, core);
        v.whatBothAsk();
        return v.checks.errors();
    }

    private String text(String ofCore, String ofOwn) {
        return JsonTree.text(event, old ? ofCore : ofOwn);
    }

    private void whatBothAsk() {
        String about = JsonTree.text(event.path(old ? "involvedObject" : "regarding"), "namespace");
        String own = JsonTree.text(event.path("metadata"), "namespace");
        boolean timed = !JsonTree.text(event, "eventTime").isEmpty();
        Set<String> free = timed ? Set.of("default", "kube-system") : Set.of("default");
        boolean wrong = about.isEmpty() ? !free.contains(own) : !timed && !about.equals(own);
        if (wrong) {
            checks.invalid("involvedObject.namespace", about, "does not match event.namespace");
        }
        if (timed) {
            String controller = text("reportingComponent", "reportingController");
            String field = old ? "reportingComponent" : "reportingController";
            if (controller.isEmpty()) {
                checks.required(field, "");
            }
            checks.labelKey(controller, field);
            brief(JsonTree.text(event, "reportingInstance"), "reportingInstance");
            brief(JsonTree.text(event, "action"), "action");
            brief(JsonTree.text(event, "reason"), "reason");
            if (text("message", "note").length() > MAX_TEXT) {
                checks.invalid("message", "", "can have at most 1024 characters");
            }
        }
    }

    private void brief(String text, String field) {
        if (text.isEmpty()) {
            checks.required(field, "");
        } else if (text.length() > MAX) {
            checks.invalid(field, "", "can have at most 128 characters");
        }
    }

    private void whatNewOnesAsk() {
        String name = JsonTree.text(event.path("metadata"), "name");
        if (name.isEmpty()) {
            checks.required("metadata.name", "name or generateName is required");
        } else {
            checks.subdomain(name, "metadata.name");
        }
        if (JsonTree.text(event, "eventTime").isEmpty()) {
            checks.required("eventTime", "");
        }
        String type = JsonTree.text(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            checks.invalid("type", "", "has invalid value: " + type);
        }
        series(event.path("series"));
        unset("deprecatedFirstTimestamp", "firstTimestamp");
        unset("deprecatedLastTimestamp", "lastTimestamp");
        unset("deprecatedCount", "count");
        unset("deprecatedSource", "source");
    }

    private void series(JsonNode series) {
        if (!series.isObject()) {
            return;
        }
        if (series.path("count").asLong() < 2) {
            checks.invalid("series.count", "", "should be at least 2");
        }
        if (JsonTree.text(series, "lastObservedTime").isEmpty()) {
            checks.required("series.lastObservedTime", "");
        }
    }

    private void unset(String field, String shown) {
        JsonNode value = event.path(field);
        boolean set = value.isTextual() || value.asLong() != 0 || (value.isObject() && !value.isEmpty());
        if (set) {
            checks.invalid(shown, "", "needs to be unset");
        }
    }
}
