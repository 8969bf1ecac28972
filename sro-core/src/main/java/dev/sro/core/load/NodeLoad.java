package dev.sro.core.load;

import dev.sro.api.NodeFacts;
import dev.sro.core.model.Fnv1a64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What worker pods have loaded on a node, as one of its labels says it. Immutable.
 *
 * @param config digest of the configuration: image, modules, parameters
 * @param boot the boot in which it was loaded, as {@link #boot(NodeFacts)} names it
 * @param kernel the kernel of then, as {@link #kernel(NodeFacts)} names it
 */
public record NodeLoad(String config, String boot, String kernel) {

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}\\.[0-9a-f]{16}\\.[0-9a-f]{16}");

    /** What is loaded when a pod of this configuration has ended well. */
    public static NodeLoad of(String config, NodeFacts node) {
        return new NodeLoad(config, boot(node), kernel(node));
    }

    /** What the label says; empty for anything that SRO did not write. */
    public static Optional<NodeLoad> parse(String label) {
        if (!FORM.matcher(label).matches()) {
            return Optional.empty();
        }
        String[] parts = label.split("\\.", -1);
        return Optional.of(new NodeLoad(parts[0], parts[1], parts[2]));
    }

    /** A node's present boot, hashed: 16 digits. */
    public static String boot(NodeFacts node) {
        return hash(node.bootId());
    }

    /** A node's present kernel, hashed: 16 digits. */
    public static String kernel(NodeFacts node) {
        return hash(node.kernel().raw());
    }

    static String hash(String text) {
        return String.format("%016x", Fnv1a64.hash(text));
    }

    /** The value of the label: 50 characters. */
    public String label() {
        return config + "." + boot + "." + kernel;
    }
}
