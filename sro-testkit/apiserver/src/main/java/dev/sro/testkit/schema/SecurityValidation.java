package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the security contexts of pods and containers. Not thread-safe. */
final class SecurityValidation {
    private static final Pattern SYSCTL =
            Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");
    private static final int MAX_SYSCTL = 253;
    private static final int MAX_PATH = 4095;

    private final Checks checks;

    SecurityValidation(Checks checks) {
        this.checks = checks;
    }

    void pod(JsonNode context, JsonNode spec, String path) {
        checks.id(context.path("fsGroup"), path + ".fsGroup");
        checks.id(context.path("runAsUser"), path + ".runAsUser");
        checks.id(context.path("runAsGroup"), path + ".runAsGroup");
        for (int i = 0; i < context.path("supplementalGroups").size(); i++) {
            checks.id(context.path("supplementalGroups").get(i), path + ".supplementalGroups[" + i + "]");
        }
        checks.oneOf(context, "fsGroupChangePolicy", path, "Always", "OnRootMismatch");
        checks.oneOf(context, "supplementalGroupsPolicy", path, "Merge", "Strict");
        sysctls(JsonTree.objects(context, "sysctls"), path + ".sysctls");
        profile(context.path("seccompProfile"), path + ".seccompProfile");
        checks.oneOf(context, "seLinuxChangePolicy", path, "Recursive");
        armor(context.path("appArmorProfile"), path + ".appArmorProfile");
        if (spec.path("shareProcessNamespace").asBoolean()
                && spec.path("hostPID").asBoolean()) {
            checks.invalid(
                    path + ".shareProcessNamespace",
                    spec.get("shareProcessNamespace"),
                    "ShareProcessNamespace and HostPID cannot both be enabled");
        }
    }

    private void sysctls(List<ObjectNode> sysctls, String path) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < sysctls.size(); i++) {
            String name = JsonTree.text(sysctls.get(i), "name");
            String at = path + "[" + i + "].name";
            if (name.isEmpty()) {
                checks.required(at, "");
            } else if (name.length() > MAX_SYSCTL || !SYSCTL.matches(name)) {
                checks.invalid(
                        at,
                        name,
                        "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*"
                                + "[a-z0-9]([-_a-z0-9]*[a-z0-9])?$");
            } else if (!seen.add(name.replace('/', '.'))) {
                checks.add(FieldError.duplicate(at, TextNode.valueOf(name)));
            }
        }
    }

    private void profile(JsonNode profile, String path) {
        if (!profile.isObject()) {
            return;
        }
        String type = JsonTree.text(profile, "type");
        JsonNode local = profile.get("localhostProfile");
        boolean named = local != null && local.isTextual();
        if (named && !type.equals("Localhost")) {
            checks.add(InternalForm.invalid(
                    path + ".localhostProfile",
                    "SeccompProfile",
                    profile,
                    "can only be set when seccomp type is Localhost"));
        }
        if (type.isEmpty()) {
            checks.required(path + ".type", "type is required when seccompProfile is set");
        } else if (type.equals("Localhost")) {
            if (!named) {
                checks.required(path + ".localhostProfile", "must be set when seccomp type is Localhost");
            } else {
                checks.localPath(local.asText(), path + ".localhostProfile");
            }
        } else {
            checks.oneOf(profile, "type", path, "Localhost", "RuntimeDefault", "Unconfined");
        }
    }

    private void armor(JsonNode profile, String path) {
        if (!profile.isObject()) {
            return;
        }
        String type = JsonTree.text(profile, "type");
        String name = JsonTree.text(profile, "localhostProfile");
        String at = path + ".localhostProfile";
        boolean named = profile.path("localhostProfile").isTextual();
        switch (type) {
            case "Localhost" -> {
                if (named && !name.equals(name.strip())) {
                    checks.invalid(at, name, "must not be padded with whitespace");
                } else if (name.isEmpty()) {
                    checks.required(at, "must be set when AppArmor type is Localhost");
                }
                if (name.length() > MAX_PATH) {
                    checks.add(FieldError.tooLong(at, MAX_PATH));
                }
            }
            case "RuntimeDefault", "Unconfined" -> {
                if (named) {
                    checks.invalid(at, name, "can only be set when AppArmor type is Localhost");
                }
            }
            case "" -> checks.required(path + ".type", "type is required when appArmorProfile is set");
            default -> checks.notSupported(path + ".type", type, "Localhost", "RuntimeDefault", "Unconfined");
        }
    }

    /** @param hostUsers whether the users of the pod are those of its node */
    void container(JsonNode context, boolean hostUsers, String path) {
        if (!context.isObject()) {
            return;
        }
        checks.id(context.path("runAsUser"), path + ".runAsUser");
        checks.id(context.path("runAsGroup"), path + ".runAsGroup");
        checks.oneOf(context, "procMount", path, "Default", "Unmasked");
        if (hostUsers && JsonTree.text(context, "procMount").equals("Unmasked")) {
            checks.invalid(path + ".procMount", "Unmasked", "`hostUsers` must be false to use `Unmasked`");
        }
        profile(context.path("seccompProfile"), path + ".seccompProfile");
        armor(context.path("appArmorProfile"), path + ".appArmorProfile");
        JsonNode escalation = context.path("allowPrivilegeEscalation");
        if (escalation.isBoolean() && !escalation.asBoolean()) {
            if (context.path("privileged").asBoolean()) {
                checks.invalid(
                        path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
            }
            for (JsonNode capability : context.path("capabilities").path("add")) {
                if (capability.asText().equals("CAP_SYS_ADMIN")) {
                    checks.invalid(
                            path,
                            context,
                            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
                }
            }
        }
    }
}
