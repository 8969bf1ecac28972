package dev.sro.core.cdi;

import dev.sro.api.device.CdiHook;
import dev.sro.api.device.CdiMount;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.OciHook;
import dev.sro.core.yaml.IndentedJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What becomes of a {@link Decoration}. Stateless.
 *
 * <p>For the Container Device Interface: device nodes stay device nodes; programs, libraries and other files become bind mounts
 * that can only be read, and directories recursive ones; the cache of the dynamic linker is renewed by a hook. The activation flag has
 * no place there: what was decorated because of a variable now asks for the device, through a device plugin, a resource claim or an
 * annotation.
 */
public final class Decorations {

    private static final List<String> FILE = List.of("ro", "nosuid", "nodev", "bind");

    private static final List<String> DIRECTORY = List.of("ro", "nosuid", "nodev", "rbind", "rprivate");

    /**
     * The hook gets the state of the container on its standard input, and finds the root file system in the configuration that the
     * bundle has. It runs in the mount namespace of the container, so that it sees the libraries.
     */
    private static final String RENEW_CACHE = """
        b=$(sed -n 's/.*"bundle" *: *"\\([^"]*\\)".*/\\1/p') && \
        r=$(tr -d '\\n' < "$b/config.json" | sed -n 's/.*"root" *: *{[^}]*"path" *: *"\\([^"]*\\)".*/\\1/p') && \
        case $r in /*) ;; ?*) r=$b/$r ;; *) exit 0 ;; esac && \
        exec "$1" -r "$r\"\
        """;

    private Decorations() {}

    /** The specification of one device. */
    public static CdiSpec cdi(Decoration decoration) {
        ContainerEdits.Builder edits = ContainerEdits.builder().environment(decoration.environment());
        decoration.devices().forEach(path -> edits.addNodes(CdiNode.of(path)));
        decoration.files().forEach(path -> edits.addMounts(new CdiMount(path, path, FILE)));
        decoration.directories().forEach(path -> edits.addMounts(new CdiMount(path, path, DIRECTORY)));
        decoration
                .ldconfig()
                .filter(unused -> !decoration.libraries().isEmpty())
                .ifPresent(program -> edits.addHooks(new CdiHook(
                        "createContainer", "/bin/sh", List.of("sh", "-c", RENEW_CACHE, "sro-ldconfig", program))));
        return CdiSpec.builder()
                .kind(decoration.kind())
                .putDevices(decoration.device(), edits.build())
                .build();
    }

    /** The entry of a hooks directory; empty where no hook is wanted. */
    public static Optional<OciHook> hook(Decoration decoration) {
        return decoration
                .hookPath()
                .map(path -> OciHook.builder()
                        .name(name(decoration))
                        .path(path)
                        .addStages("prestart")
                        .build());
    }

    /** Name of the hook's configuration, without {@code .json}: {@code vendor.example-class}. */
    public static String name(Decoration decoration) {
        return decoration.kind().replace('/', '-');
    }

    /** The configuration of the hook in the form of oci-injector-hook, without what it cannot say. */
    public static Map<String, Object> injector(Decoration decoration) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("activation_flag", decoration.activationFlag().orElse(""));
        tree.put("devices", decoration.devices());
        tree.put("binaries", decoration.binaries());
        tree.put("libraries", decoration.libraries());
        tree.put("directories", decoration.directories());
        tree.put("miscellaneous", decoration.miscellaneous());
        return tree;
    }

    /** {@link #injector} as text. */
    public static String injectorText(Decoration decoration) {
        return IndentedJson.write(injector(decoration));
    }
}
