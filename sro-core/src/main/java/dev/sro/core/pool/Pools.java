package dev.sro.core.pool;

import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.core.facts.ObservedNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Groups nodes into pools. Stateless. */
public final class Pools {

    private record Key(KernelVersion kernel, OsRelease os, String arch, SortedMap<String, String> own) {

        boolean fits(NodeFacts facts, Map<String, String> ownKey) {
            return kernel.equals(facts.kernel())
                    && arch.equals(facts.architecture())
                    && os.equals(facts.os())
                    && own.equals(ownKey);
        }
    }

    private Pools() {}

    /**
     * The pools of these nodes, sorted by name; within each, nodes sorted by name.
     *
     * @param nodes the nodes that the special resource selects
     * @param ownKey what the plugin adds to a node's key, empty for nothing
     */
    public static List<Pool> group(Collection<ObservedNode> nodes, Function<NodeFacts, Map<String, String>> ownKey) {
        Map<Key, List<String>> groups = new HashMap<>();
        Key last = null;
        List<String> names = List.of();
        for (ObservedNode node : nodes) {
            NodeFacts facts = node.facts();
            Map<String, String> own = ownKey.apply(facts);
            // Most nodes are like the one before them.
            if (last == null || !last.fits(facts, own)) {
                last = new Key(
                        facts.kernel(),
                        facts.os(),
                        facts.architecture(),
                        own.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(own));
                names = groups.computeIfAbsent(last, unused -> new ArrayList<>());
            }
            names.add(node.name());
        }
        List<Pool> pools = new ArrayList<>(groups.size());
        groups.forEach((key, members) -> {
            members.sort(Comparator.naturalOrder());
            pools.add(create(key.kernel, key.os, key.arch, key.own, members));
        });
        pools.sort(Comparator.comparing(Pool::name)
                .thenComparing(pool -> pool.kernel().raw()));
        return List.copyOf(pools);
    }

    /** The pool of these nodes once they have another kernel, system and key of the plugin's. */
    public static Pool moved(Pool pool, KernelVersion kernel, OsRelease os, Map<String, String> key) {
        return create(kernel, os, pool.architecture(), new TreeMap<>(key), pool.nodes());
    }

    /** A pool that there may be some time, and has no nodes yet. */
    public static Pool create(KernelVersion kernel, OsRelease os, String architecture) {
        return create(kernel, os, architecture, new TreeMap<>(), List.of());
    }

    private static Pool create(
            KernelVersion kernel, OsRelease os, String arch, SortedMap<String, String> key, List<String> nodes) {
        return new Pool(
                PoolNames.name(kernel, os, arch, key),
                PoolNames.affinityHash(kernel, os, arch, key),
                kernel,
                os,
                arch,
                key,
                nodes);
    }
}
