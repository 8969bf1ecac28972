package dev.sro.agent.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What container runtimes demand of a specification, from the text of the standard: no unknown fields, what must be there, names. */
final class CdiRules {
    private CdiRules() {}

    /** The names of its devices. */
    static List<String> check(String text) {
        InputDocument document = InputDocument.parse("cdi", text);
        InputObject root = document.root().object("cdiVersion", "kind", "annotations", "devices", "containerEdits");
        assertThat(root.string("cdiVersion")).isIn("0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0");
        assertThat(root.string("kind")).matches("[A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9]/[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]");
        root.get("containerEdits").ifPresent(CdiRules::edits);
        Set<String> names = new HashSet<>();
        for (InputField field : root.list("devices")) {
            InputObject device = field.object("name", "annotations", "containerEdits");
            assertThat(device.string("name")).matches("[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?");
            assertThat(names.add(device.string("name"))).isTrue();
            assertThat(edits(device.required("containerEdits").orElseThrow()))
                    .as("edits of a device may not be empty")
                    .isPositive();
        }
        assertThat(names).isNotEmpty();
        document.check();
        return names.stream().sorted().toList();
    }

    private static int edits(InputField field) {
        InputObject edits = field.object("env", "deviceNodes", "mounts", "hooks", "additionalGids");
        edits.strings("env").forEach(variable -> assertThat(variable).matches("(?s)[^=]+=.*"));
        for (InputField node : edits.list("deviceNodes")) {
            assertThat(node.object(
                                    "path",
                                    "hostPath",
                                    "type",
                                    "major",
                                    "minor",
                                    "fileMode",
                                    "permissions",
                                    "uid",
                                    "gid")
                            .string("path"))
                    .startsWith("/");
        }
        Set<String> mounted = new HashSet<>();
        for (InputField one : edits.list("mounts")) {
            InputObject mount = one.object("hostPath", "containerPath", "options", "type");
            assertThat(mount.string("hostPath")).startsWith("/");
            assertThat(mount.string("containerPath")).startsWith("/").doesNotContain("//");
            assertThat(mounted.add(mount.string("containerPath")))
                    .as("mounted once: " + mount.string("containerPath"))
                    .isTrue();
            assertThat(mount.strings("options")).contains("ro", "nosuid", "nodev", "rbind");
        }
        for (InputField one : edits.list("hooks")) {
            InputObject hook = one.object("hookName", "path", "args", "env", "timeout");
            assertThat(hook.string("hookName"))
                    .isIn("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop");
            assertThat(hook.string("path")).startsWith("/");
            assertThat(hook.list("args")).isNotEmpty();
        }
        return edits.strings("env").size()
                + edits.list("deviceNodes").size()
                + edits.list("mounts").size()
                + edits.list("hooks").size();
    }
}
