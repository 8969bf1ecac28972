package dev.sro.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where the objects of a state come from. Immutable.
 *
 * <p>Text is YAML with any number of documents. It is parsed first; then the placeholders <code>${name}</code> in its
 * strings are replaced, so that no value can change the structure. A string that is nothing but one placeholder takes
 * the value with its type (a list stays a list); otherwise the value must be a scalar. <code>$${</code> stands for
 * <code>${</code>, so that shell scripts can be written. A placeholder without a value is
 * {@code Failed(UndefinedVariable)}.
 *
 * <p>SRO supplies: {@code name} and {@code namespace} (of the special resource and its operands),
 * {@code kernelFullVersion}, {@code kernelNormalizedVersion}, {@code kernelPatchVersion}, {@code operatingSystemId},
 * {@code operatingSystemDecimal}, {@code operatingSystemMajor}, {@code operatingSystemMajorMinor},
 * {@code architecture}, {@code pool}, {@code kernelAffinityHash}, and the special resource itself as
 * {@code specialresource}, whose fields are reached by dots: <code>${specialresource.spec.set.kmodNames}</code>.
 *
 * <p>On OpenShift, where the driver toolkits of the cluster are known, there is {@code driverToolkitImage}, too: the image that has
 * the kernel of the pool; while none is known to have it, the newest for the pool's operating system; failing that, the tag
 * {@code latest}. A variable of the state with this name wins.
 *
 * @since 0.1.0
 */
public sealed interface ManifestTemplate {

    /** The name in messages: usually a file name. */
    String name();

    /**
     * YAML text with placeholders.
     *
     * @param name what messages call it
     * @param text the YAML
     */
    record Text(String name, String text) implements ManifestTemplate {}

    /**
     * Objects made by the plugin; placeholders in their strings are replaced too.
     *
     * @param name what messages call it
     * @param objects the objects, not to be changed afterwards
     */
    record Objects(String name, List<HasMetadata> objects) implements ManifestTemplate {
        /** Copies the list. */
        public Objects {
            objects = List.copyOf(objects);
        }
    }

    /** YAML text with placeholders. */
    static ManifestTemplate text(String name, String yaml) {
        return new Text(name, yaml);
    }

    /** Objects made by the plugin. */
    static ManifestTemplate objects(String name, HasMetadata... objects) {
        return new Objects(name, List.of(objects));
    }

    /**
     * YAML from a file in the plugin's jar.
     *
     * @param anchor a class of the plugin
     * @param path relative to the package of that class, or absolute with a leading slash
     * @throws IllegalArgumentException if there is no such file
     */
    static ManifestTemplate resource(Class<?> anchor, String path) {
        try (InputStream in = anchor.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "there is no resource \"" + path + "\" beside " + anchor.getName() + " in its jar");
            }
            return new Text(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource " + path, e);
        }
    }
}
