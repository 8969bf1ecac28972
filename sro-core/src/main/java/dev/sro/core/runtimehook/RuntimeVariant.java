package dev.sro.core.runtimehook;

import dev.sro.api.Problem;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.OciHook;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeDropIn;
import dev.sro.core.cdi.CdiFiles;
import dev.sro.core.cdi.Decorations;
import dev.sro.core.cdi.OciHookFiles;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.RecipeFailure;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files that some nodes get. Immutable.
 *
 * @param files content by absolute path on the node
 * @param image whose shell places them; the operator's unless given
 */
public record RuntimeVariant(SortedMap<String, String> files, Optional<String> image) {

    private static final String CDI = "/var/run/cdi/";

    private static final String HOOKS = "/etc/containers/oci/hooks.d/";

    private static final String INJECTOR = "/etc/oci-injector-hook/";

    /** Copies. */
    public RuntimeVariant {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    /**
     * The files of a configuration.
     *
     * @throws RecipeFailure if two of them have one path
     */
    public static RuntimeVariant of(RuntimeConfiguration configuration) {
        SortedMap<String, String> files = new TreeMap<>();
        for (CdiSpec spec : configuration.cdi()) {
            put(files, CDI + CdiFiles.fileName(spec.kind()), CdiFiles.text(spec));
        }
        for (Decoration decoration : configuration.decorations()) {
            put(files, CDI + CdiFiles.fileName(decoration.kind()), CdiFiles.text(Decorations.cdi(decoration)));
            Decorations.hook(decoration).ifPresent(hook -> {
                put(files, HOOKS + OciHookFiles.fileName(hook), OciHookFiles.text(hook));
                put(files, INJECTOR + Decorations.name(decoration) + ".json", Decorations.injectorText(decoration));
            });
        }
        for (OciHook hook : configuration.ociHooks()) {
            put(files, HOOKS + OciHookFiles.fileName(hook), OciHookFiles.text(hook));
        }
        for (RuntimeDropIn file : configuration.dropIns()) {
            put(files, directory(file.engine()) + file.fileName(), file.content());
        }
        return new RuntimeVariant(files, configuration.image());
    }

    private static void put(Map<String, String> files, String path, String content) {
        if (files.put(path, content) != null) {
            throw new RecipeFailure(Problem.vendor(
                    "RuntimeFileTwice",
                    "RuntimeHook.runtime() gives a node two files " + path + "; give one of them another name"));
        }
    }

    private static String directory(RuntimeDropIn.Engine engine) {
        return switch (engine) {
            case CONTAINERD -> "/etc/containerd/conf.d/";
            case CRIO -> "/etc/crio/crio.conf.d/";
            case DOCKER -> "/etc/docker/";
        };
    }

    /** Equal variants have equal digests: 16 hexadecimal digits. */
    public String digest() {
        Map<String, Object> tree = new TreeMap<>(files);
        image.ifPresent(reference -> tree.put("image", reference));
        return ValueTrees.digest(tree);
    }

    /** How many bytes the files have, roughly. */
    int size() {
        return files.values().stream().mapToInt(String::length).sum();
    }
}
