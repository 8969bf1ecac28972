package dev.sro.core.placement;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** GPUs of nodes, and what is remembered of each node's state. Not thread-safe. */
final class NodeBook {
    private static final class Entry {
        final Map<String, SliceDevice> gpus = new LinkedHashMap<>();
        final Set<String> claims = new LinkedHashSet<>();

        @Nullable NodeAnswers answers;
    }

    private final SliceAllocator allocator;
    private final Map<String, Entry> nodes = new HashMap<>();
    private final Map<String, SliceDevice> gpus = new HashMap<>();
    private final Map<DeviceModel, Integer> models = new HashMap<>();

    NodeBook(SliceAllocator allocator) {
        this.allocator = allocator;
    }

    /** Claims that have to be put aside while the GPUs of a node become these. */
    List<String> displacedBy(String node, List<SliceDevice> wanted) {
        Entry entry = nodes.get(node);
        if (entry == null) {
            return List.of();
        }
        Map<String, SliceDevice> byId = new HashMap<>();
        wanted.forEach(gpu -> byId.put(gpu.id(), gpu));
        Set<String> changed = new TreeSet<>();
        entry.gpus.forEach((id, gpu) -> {
            SliceDevice now = byId.get(id);
            if (now != null && !now.model().equals(gpu.model())) {
                changed.add(id);
            }
        });
        return allocator.claims().stream()
                .filter(claim -> changed.contains(claim.device()))
                .map(claim -> claim.id())
                .toList();
    }

    /** Nothing that is put aside may be held meanwhile. */
    void replace(String node, List<SliceDevice> wanted) {
        Entry entry = nodes.computeIfAbsent(node, name -> new Entry());
        entry.answers = null;
        Map<String, SliceDevice> left = new LinkedHashMap<>(entry.gpus);
        for (SliceDevice gpu : wanted) {
            SliceDevice before = left.remove(gpu.id());
            SliceDevice elsewhere = gpus.get(gpu.id());
            if (before == null && elsewhere != null) {
                // It was moved into another machine, or two say that they have it: the first keeps it until it is gone
                // there.
                continue;
            }
            if (before == null) {
                add(entry, gpu);
            } else if (!before.model().equals(gpu.model())) {
                allocator.removeDevice(gpu.id());
                add(entry, gpu);
            } else if (before.cordoned() != gpu.cordoned()) {
                allocator.cordon(gpu.id(), gpu.cordoned());
                entry.gpus.put(gpu.id(), gpu);
            }
        }
        left.values().forEach(gone -> remove(entry, gone));
        if (entry.gpus.isEmpty()) {
            nodes.remove(node);
        }
    }

    private void add(Entry entry, SliceDevice gpu) {
        allocator.addDevice(gpu);
        entry.gpus.put(gpu.id(), gpu);
        gpus.put(gpu.id(), gpu);
    }

    private void remove(Entry entry, SliceDevice gone) {
        boolean carries =
                allocator.claims().stream().anyMatch(claim -> claim.device().equals(gone.id()));
        if (carries) {
            allocator.cordon(gone.id(), true);
            entry.gpus.put(
                    gone.id(), SliceDevice.builder().from(gone).cordoned(true).build());
        } else {
            allocator.removeDevice(gone.id());
            entry.gpus.remove(gone.id());
            gpus.remove(gone.id());
        }
    }

    /** Notes that a claim came to a node or left it. */
    void changed(String node, String claim, boolean came) {
        Entry entry = nodes.get(node);
        if (entry != null) {
            entry.answers = null;
            if (came) {
                entry.claims.add(claim);
            } else {
                entry.claims.remove(claim);
            }
        }
    }

    boolean known(String node) {
        return nodes.containsKey(node);
    }

    boolean carries(String node, String gpu) {
        Entry entry = nodes.get(node);
        return entry != null && entry.gpus.containsKey(gpu);
    }

    boolean offers(String node, String profile) {
        Entry entry = nodes.get(node);
        return entry != null
                && entry.gpus.values().stream()
                        .anyMatch(gpu -> gpu.model().profile(profile).isPresent());
    }

    int size(String gpu, String profile) {
        SliceDevice device = gpus.get(gpu);
        return device == null
                ? 0
                : device.model().profile(profile).map(SliceProfile::size).orElse(0);
    }

    @Nullable NodeAnswers answers(String node) {
        Entry entry = nodes.get(node);
        return entry == null ? null : entry.answers;
    }

    void answers(String node, NodeAnswers answers) {
        Entry entry = nodes.get(node);
        if (entry != null) {
            entry.answers = answers;
        }
    }

    void forgetAnswers() {
        nodes.values().forEach(entry -> entry.answers = null);
    }

    /** GPUs of a node that take something new, those that carry most first, then in the order in which they came. */
    List<String> fullestFirst(String node, Map<String, PlacedSlice> held) {
        Entry entry = nodes.get(node);
        if (entry == null) {
            return List.of();
        }
        Map<String, Integer> used = new HashMap<>();
        for (String id : entry.claims) {
            PlacedSlice slice = held.get(id);
            if (slice != null) {
                used.merge(slice.gpu(), slice.size(), Integer::sum);
            }
        }
        return entry.gpus.values().stream()
                .filter(gpu -> !gpu.cordoned())
                .map(SliceDevice::id)
                .sorted(Comparator.comparingInt(id -> -used.getOrDefault(id, 0)))
                .toList();
    }

    /** What a node has and carries, the same for nodes that answer the same; empty for one without GPUs. */
    String key(String node, Map<String, PlacedSlice> held) {
        Entry entry = nodes.get(node);
        if (entry == null) {
            return "";
        }
        Map<String, Set<String>> carried = new HashMap<>();
        for (String id : entry.claims) {
            PlacedSlice slice = held.get(id);
            if (slice != null) {
                carried.computeIfAbsent(slice.gpu(), gpu -> new TreeSet<>()).add(slice.profile() + "@" + slice.start());
            }
        }
        List<String> parts = new ArrayList<>();
        entry.gpus.forEach((id, gpu) -> parts.add(models.computeIfAbsent(gpu.model(), added -> models.size())
                + (gpu.cordoned() ? "!" : "")
                + carried.getOrDefault(id, Set.of())));
        parts.sort(null);
        return String.join(";", parts);
    }

    List<String> names() {
        return List.copyOf(new TreeSet<>(nodes.keySet()));
    }
}
