package dev.sro.api;

/**
 * A condition beyond the readiness of its objects that a state has to meet, as a value: see {@link State#readiness()}.
 * Immutable.
 *
 * <p>Rules about nodes are judged on each node of the pool. In a state that is reached node by node a node that does not
 * meet them holds up only itself; in any other state all nodes of the pool have to meet them.
 */
public sealed interface ReadinessRule {

    /**
     * The node offers at least this much of a resource in {@code status.allocatable}: the device plugin or NFD has done
     * its work. Waiting with reason {@code ResourceNotAllocatable} until then.
     *
     * @param resource its name: {@code vendor.example/device}, {@code hugepages-2Mi}
     * @param atLeast smallest amount that counts, a whole number of devices
     */
    record AllocatableResource(String resource, long atLeast) implements ReadinessRule {
        /** Checks name and amount. */
        public AllocatableResource {
            Checks.qualifiedName("AllocatableResource.resource", resource);
            Checks.range("AllocatableResource.atLeast", atLeast, 1, Long.MAX_VALUE);
        }
    }

    /**
     * The node carries a label with this value, written by an operand or an agent on the node. Waiting with reason
     * {@code NodeLabelMissing} until then.
     *
     * @param key of the label
     * @param value that it has to have
     */
    record NodeLabel(String key, String value) implements ReadinessRule {
        /** Checks key and value. */
        public NodeLabel {
            Checks.qualifiedName("NodeLabel.key", key);
            Checks.labelValue("NodeLabel.value", value);
        }
    }

    /**
     * The state counts as ready in a pool as soon as it is ready on this share of the pool's nodes, rounded up. Only for
     * states that are reached node by node; each node is still reported by itself.
     *
     * @param percent from 1 to 100
     */
    record NodeShare(int percent) implements ReadinessRule {
        /** Checks the range. */
        public NodeShare {
            Checks.range("NodeShare.percent", percent, 1, 100);
        }
    }

    /**
     * A container of the state's pods has printed a line that matches.
     *
     * <p>Reading logs costs a request for each pod, which a reconcile without changes must not make.
     *
     * @param container its name; the pods are those of all workloads in the state
     * @param pattern regular expression in RE2 syntax, found anywhere in a line
     */
    @NotActedOnYet(until = "give the container a readiness or startup probe that looks for it")
    record LogPattern(String container, String pattern) implements ReadinessRule {
        /** Checks that both are there. */
        public LogPattern {
            Checks.dnsLabel("LogPattern.container", container);
            Checks.notBlank("LogPattern.pattern", pattern);
        }
    }

    /**
     * A file exists on the node, as barriers of drivers do it: {@code /run/vendor/validations/driver-ready}.
     *
     * @param path absolute, on the host
     */
    @NotActedOnYet(until = "mount its directory into a pod of the state whose readiness probe tests it")
    record FileOnNode(String path) implements ReadinessRule {
        /** Checks the path. */
        public FileOnNode {
            Checks.absolutePath("FileOnNode.path", path);
        }
    }

    /** See {@link AllocatableResource}. */
    static ReadinessRule allocatable(String resource, long atLeast) {
        return new AllocatableResource(resource, atLeast);
    }

    /** See {@link NodeLabel}. */
    static ReadinessRule nodeLabel(String key, String value) {
        return new NodeLabel(key, value);
    }

    /** See {@link NodeShare}. */
    static ReadinessRule nodeShare(int percent) {
        return new NodeShare(percent);
    }

    /** See {@link LogPattern}. */
    static ReadinessRule logPattern(String container, String pattern) {
        return new LogPattern(container, pattern);
    }

    /** See {@link FileOnNode}. */
    static ReadinessRule fileOnNode(String path) {
        return new FileOnNode(path);
    }
}
