package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Validation of what pods may ask for by the operating system that they are for, and of users of their own. Not thread-safe. */
final class SystemValidation {
    private static final String WINDOWS = "cannot be set for a windows pod";
    private static final List<String> NOT_OF_WINDOWS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "fsGroup",
            "fsGroupChangePolicy",
            "sysctls",
            "runAsUser",
            "runAsGroup",
            "supplementalGroups",
            "supplementalGroupsPolicy");
    private static final List<String> NOT_OF_CONTAINERS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "capabilities",
            "readOnlyRootFilesystem",
            "privileged",
            "allowPrivilegeEscalation",
            "procMount",
            "runAsUser",
            "runAsGroup");

    private final Checks checks;

    SystemValidation(Checks checks) {
        this.checks = checks;
    }

    void validate(ObjectNode spec, String path) {
        hostUsers(spec, path);
        hostProcesses(spec, path);
        JsonNode os = spec.path("os");
        if (!os.isObject()) {
            return;
        }
        switch (JsonTree.text(os, "name")) {
            case "" -> checks.required(path + ".os.name", "cannot be empty");
            case "linux" -> linux(spec, path);
            case "windows" -> windows(spec, path);
            default -> checks.notSupported(path + ".os", JsonTree.text(os, "name"), "linux", "windows");
        }
    }

    private void hostUsers(JsonNode spec, String path) {
        if (!spec.path("hostUsers").isBoolean() || spec.path("hostUsers").asBoolean()) {
            return;
        }
        for (String field : List.of("hostNetwork", "hostPID", "hostIPC")) {
            if (spec.path(field).asBoolean()) {
                String shown = field.equals("hostNetwork") ? field : "H" + field.substring(1);
                checks.forbidden(path + "." + shown, "when `hostUsers` is false");
            }
        }
    }

    private void hostProcesses(ObjectNode spec, String path) {
        boolean any = isHostProcess(spec);
        for (String list : List.of("containers", "initContainers")) {
            any |= JsonTree.objects(spec, list).stream().anyMatch(SystemValidation::isHostProcess);
        }
        if (any && !spec.path("hostNetwork").asBoolean()) {
            checks.invalid(
                    path + ".hostNetwork",
                    BooleanNode.FALSE,
                    "hostNetwork must be true if pod contains any hostProcess containers");
        }
    }

    private static boolean isHostProcess(JsonNode holder) {
        return holder.path("securityContext")
                .path("windowsOptions")
                .path("hostProcess")
                .asBoolean();
    }

    private void linux(ObjectNode spec, String path) {
        String detail = "windows options cannot be set for a linux pod";
        if (spec.path("securityContext").path("windowsOptions").isObject()) {
            checks.forbidden(path + ".securityContext.windowsOptions", detail);
        }
        for (String list : List.of("initContainers", "containers")) {
            List<ObjectNode> containers = JsonTree.objects(spec, list);
            for (int i = 0; i < containers.size(); i++) {
                if (containers
                        .get(i)
                        .path("securityContext")
                        .path("windowsOptions")
                        .isObject()) {
                    checks.forbidden(path + "." + list + "[" + i + "].securityContext.windowsOptions", detail);
                }
            }
        }
    }

    private void windows(ObjectNode spec, String path) {
        JsonNode context = spec.path("securityContext");
        if (spec.path("hostUsers").isBoolean()) {
            checks.forbidden(path + ".hostUsers", WINDOWS);
        }
        for (String field : List.of("hostPID", "hostIPC")) {
            if (spec.path(field).asBoolean()) {
                checks.forbidden(path + "." + field, WINDOWS);
            }
        }
        fields(context, NOT_OF_WINDOWS, path + ".securityContext");
        if (spec.path("shareProcessNamespace").isBoolean()) {
            checks.forbidden(path + ".shareProcessNamespace", WINDOWS);
        }
        for (String list : List.of("initContainers", "containers")) {
            List<ObjectNode> containers = JsonTree.objects(spec, list);
            for (int i = 0; i < containers.size(); i++) {
                fields(
                        containers.get(i).path("securityContext"),
                        NOT_OF_CONTAINERS,
                        path + "." + list + "[" + i + "].securityContext");
            }
        }
    }

    private void fields(JsonNode context, List<String> fields, String path) {
        for (String field : fields) {
            if (context.hasNonNull(field)) {
                checks.forbidden(path + "." + field, WINDOWS);
            }
        }
    }
}
