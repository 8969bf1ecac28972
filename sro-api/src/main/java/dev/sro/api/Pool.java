package dev.sro.api;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Nodes that one driver build serves: equal kernel, operating system, architecture and plugin's own key. Immutable.
 *
 * @param name stable, at most 63 characters, unique in a cluster: what objects and messages are named after
 * @param affinityHash the suffix of kernel-affine objects: lower-case hexadecimal FNV-1a-64, without padding, as SRO
 *     has always written it
 * @param kernel the kernel of every node in it
 * @param os the operating system of every node in it
 * @param architecture as Kubernetes names it, for example {@code amd64}
 * @param key what the plugin's {@link PoolKeyProvider} added, sorted
 * @param nodes names of the nodes, sorted
 * @since 0.1.0
 */
public record Pool(
        String name,
        String affinityHash,
        KernelVersion kernel,
        OsRelease os,
        String architecture,
        SortedMap<String, String> key,
        List<String> nodes) {

    /** Copies the collections. */
    public Pool {
        key = Collections.unmodifiableSortedMap(new TreeMap<>(key));
        nodes = List.copyOf(nodes);
    }

    /** The kernel's label value, by which its nodes are selected. */
    public String kernelLabel() {
        return kernel.labelValue();
    }

    /** The same pool with other nodes. */
    public Pool withNodes(List<String> newNodes) {
        return new Pool(name, affinityHash, kernel, os, architecture, key, newNodes);
    }
}
