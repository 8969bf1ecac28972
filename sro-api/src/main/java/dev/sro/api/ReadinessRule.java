package dev.sro.api;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A condition beyond the readiness of its objects that a state has to meet, as a value: see {@link State#readiness()}.
 * Immutable.
 *
 * <p>Rules about nodes are judged on each node of the pool. In a state that is reached node by node a node that does not
 * meet them holds up only itself; in any other state all nodes of the pool have to meet them.
 *
 * @since 0.1.0
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
     * The node offers at least as much of each resource in {@code status.allocatable} as labels of the node count: with
     * prefix {@code nvidia.com/gpu} and suffix {@code .count}, a label {@code nvidia.com/gpu.count=8} asks for 8 of
     * {@code nvidia.com/gpu}. A label whose value is no whole number says nothing, and a node without such labels meets the
     * rule. Waiting with reason {@code ResourceNotAllocatable} otherwise.
     *
     * @param prefix with which the names of the resources, and so the labels, begin
     * @param suffix with which the labels end, behind the name of the resource
     */
    record AllocatableAsLabelled(String prefix, String suffix) implements ReadinessRule {
        private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");

        /** Checks that both are there. */
        public AllocatableAsLabelled {
            Checks.notBlank("AllocatableAsLabelled.prefix", prefix);
            Checks.notBlank("AllocatableAsLabelled.suffix", suffix);
        }

        /**
         * How many devices of each resource the labels of a node count, by the names of resources.
         *
         * @param labels of the node; those that do not count are passed over
         */
        public SortedMap<String, Long> counts(Map<String, String> labels) {
            SortedMap<String, Long> counts = new TreeMap<>();
            labels.forEach((key, value) -> {
                if (key.startsWith(prefix)
                        && key.endsWith(suffix)
                        && key.length() > suffix.length()
                        && COUNT.matcher(value).matches()) {
                    counts.put(key.substring(0, key.length() - suffix.length()), Long.parseLong(value));
                }
            });
            return counts;
        }
    }

    /**
     * The node offers at least as much of each resource in {@code status.allocatable} as a container on it has counted: what the
     * hardware says against what the kubelet says. The container is an init container of a DaemonSet of the special resource, in any
     * state. When it ends with code 0, its termination message ({@code /dev/termination-log}) has lines {@code resource=amount};
     * amounts of one resource add up, other lines say nothing, and a resource of which there are 0 is not asked for.
     *
     * <p>Waiting with reason {@code DevicesNotCounted} as long as no pod of the node has said anything, and with {@code
     * ResourceNotAllocatable} as long as none of a resource is offered: the device plugin has not answered yet. Offering some and not
     * all is the failure {@code shortage} of the state on that node, until it offers all of them, or until another pod counts fewer.
     *
     * @param container name of the init container
     * @param shortage what a node is that offers fewer; its message, with what to do, is shown behind the name of the node, the
     *     resource and both numbers
     * @param shared whether each device may be offered more than once, the node then has to offer a multiple of what was counted,
     *     under the name of the resource or under that name with {@code .shared} behind it
     */
    record AllocatableAsCounted(String container, Problem shortage, boolean shared) implements ReadinessRule {
        /** Checks the name. */
        public AllocatableAsCounted {
            Checks.dnsLabel("AllocatableAsCounted.container", container);
            Objects.requireNonNull(shortage, "AllocatableAsCounted.shortage");
        }
    }

    /**
     * The node carries a label with this value, written by an operand or an agent on the node. Waiting with reason
     * {@code NodeLabelMissing} until then, but a failure of the state on that node while the label has one of the values that say so.
     *
     * @param key of the label
     * @param value that it has to have
     * @param failures what is wrong, and who can mend it, by the values with which the agent says that it gave up; the message is
     *     shown behind the name of the node and the label
     */
    record NodeLabel(String key, String value, Map<String, Problem> failures) implements ReadinessRule {
        /** Checks key and values. */
        public NodeLabel {
            Checks.qualifiedName("NodeLabel.key", key);
            Checks.labelValue("NodeLabel.value", value);
            failures = Map.copyOf(failures);
            for (String failure : failures.keySet()) {
                Checks.labelValue("NodeLabel.failures", failure);
                Checks.require(
                        !failure.equals(value), "NodeLabel.failures", value + " is the value that is waited for");
            }
        }

        /** Without values that say that something failed. */
        public NodeLabel(String key, String value) {
            this(key, value, Map.of());
        }
    }

    /**
     * The node carries no label with which an agent on the node says that it gave up: nothing is waited for, so that a node without
     * the label, or with any other value of it, meets the rule.
     *
     * @param key of the label
     * @param failures as in {@link NodeLabel}; at least one
     */
    record NodeLabelFailures(String key, Map<String, Problem> failures) implements ReadinessRule {
        /** Checks key and values. */
        public NodeLabelFailures {
            Checks.qualifiedName("NodeLabelFailures.key", key);
            failures = Map.copyOf(failures);
            Checks.require(!failures.isEmpty(), "NodeLabelFailures.failures", "name at least one");
            failures.keySet().forEach(failure -> Checks.labelValue("NodeLabelFailures.failures", failure));
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
     * A container of the state's pods has printed a line that matches. Waiting with reason {@code LogsNotMatched} until then.
     *
     * <p>The end of a log is read: 200 lines, 64 KiB at most. A log in which the text was found is not read again unless the container
     * starts again; one in which it was not is read again after 1, 2, 4 … 60 seconds. A probe of the container costs no request
     * of SRO's: prefer that where it can be.
     *
     * @param container its name, not that of an init container; the pods are those of all workloads in the state that have it and
     *     that are waited for. None of them: {@code LogContainerMissing}
     * @param pattern regular expression in RE2 syntax of at most 1024 characters, found anywhere in a line; {@code
     *     LogPatternInvalid} otherwise
     */
    record LogPattern(String container, String pattern) implements ReadinessRule {
        /** Checks that both are there. */
        public LogPattern {
            Checks.dnsLabel("LogPattern.container", container);
            Checks.notBlank("LogPattern.pattern", pattern);
        }
    }

    /** See {@link AllocatableResource}. */
    static ReadinessRule allocatable(String resource, long atLeast) {
        return new AllocatableResource(resource, atLeast);
    }

    /** See {@link AllocatableAsLabelled}. */
    static ReadinessRule allocatableAsLabelled(String prefix, String suffix) {
        return new AllocatableAsLabelled(prefix, suffix);
    }

    /** See {@link AllocatableAsCounted}; each device is offered once. */
    static ReadinessRule allocatableAsCounted(String container, Problem shortage) {
        return new AllocatableAsCounted(container, shortage, false);
    }

    /** See {@link NodeLabel}. */
    static ReadinessRule nodeLabel(String key, String value) {
        return new NodeLabel(key, value);
    }

    /** See {@link NodeLabel}. */
    static ReadinessRule nodeLabel(String key, String value, Map<String, Problem> failures) {
        return new NodeLabel(key, value, failures);
    }

    /** See {@link NodeLabelFailures}. */
    static ReadinessRule nodeLabelFailures(String key, Map<String, Problem> failures) {
        return new NodeLabelFailures(key, failures);
    }

    /** See {@link NodeShare}. */
    static ReadinessRule nodeShare(int percent) {
        return new NodeShare(percent);
    }

    /** See {@link LogPattern}. */
    static ReadinessRule logPattern(String container, String pattern) {
        return new LogPattern(container, pattern);
    }
}
