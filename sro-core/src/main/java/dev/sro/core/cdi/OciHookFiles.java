package dev.sro.core.cdi;

import dev.sro.api.device.OciHook;
import dev.sro.core.yaml.IndentedJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes {@link OciHook} as CRI-O and podman read it: version 1.0.0 of the files in a hooks directory. Stateless. */
public final class OciHookFiles {

    private OciHookFiles() {}

    /** Name of the file. */
    public static String fileName(OciHook hook) {
        return hook.name() + ".json";
    }

    /** The file as text. */
    public static String text(OciHook hook) {
        return IndentedJson.write(tree(hook));
    }

    /** The file as a tree. */
    public static Map<String, Object> tree(OciHook hook) {
        Map<String, Object> program = new LinkedHashMap<>();
        program.put("path", hook.path());
        if (!hook.arguments().isEmpty()) {
            program.put("args", hook.arguments());
        }
        if (!hook.environment().isEmpty()) {
            program.put(
                    "env",
                    new TreeMap<>(hook.environment())
                            .entrySet().stream().map(Object::toString).toList());
        }
        hook.timeoutSeconds().ifPresent(seconds -> program.put("timeout", seconds));
        Map<String, Object> when = new LinkedHashMap<>();
        if (!hook.annotations().isEmpty()) {
            when.put("annotations", new TreeMap<>(hook.annotations()));
        }
        if (!hook.commands().isEmpty()) {
            when.put("commands", hook.commands());
        }
        hook.hasBindMounts().ifPresent(has -> when.put("hasBindMounts", has));
        if (when.isEmpty()) {
            when.put("always", true);
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", "1.0.0");
        tree.put("hook", program);
        tree.put("when", when);
        tree.put("stages", List.copyOf(hook.stages()));
        return tree;
    }
}
