package dev.sro.core.placement;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** GPUs of nodes, what they carry, and what is remembered of each node's state. Not thread-safe. */
final class NodeBook {
    /** States of GPUs remembered at most; they are numbered anew. An A100 has some hundreds that occur. */
    private static final int MOST_STATES = 16_384;

    private static final int UNNUMBERED = -1;

    private static final class Entry {
        final Map<String, Gpu> gpus = new LinkedHashMap<>();

        @Nullable NodeAnswers answers;
    }

    private static final class Gpu {
        SliceDevice device;
        final Map<String, PlacedSlice> carried = new LinkedHashMap<>();
        /** The same for GPUs of one model that carry the same. */
        int state = UNNUMBERED;

        Gpu(SliceDevice device) {
            this.device = device;
        }

        int units() {
            return carried.values().stream().mapToInt(PlacedSlice::size).sum();
        }
    }

    /**
     * What a node has and carries, the same for nodes that answer the same. Immutable.
     *
     * @param gpus states of its GPUs, sorted
     */
    record State(List<Integer> gpus) {}

    private final SliceAllocator allocator;
    private final Map<String, Entry> nodes = new HashMap<>();
    private final Map<String, SliceDevice> gpus = new HashMap<>();
    private final Map<DeviceModel, Integer> models = new HashMap<>();
    private final Map<String, Integer> states = new HashMap<>();
    /** Never given twice, so that what was remembered under an old number is nobody's. */
    private int nextState;

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
            if (now != null && !now.model().equals(gpu.device.model())) {
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
        Map<String, Gpu> left = new LinkedHashMap<>(entry.gpus);
        for (SliceDevice gpu : wanted) {
            Gpu before = left.remove(gpu.id());
            SliceDevice elsewhere = gpus.get(gpu.id());
            if (before == null && elsewhere != null) {
                // It was moved into another machine, or two say that they have it: the first keeps it until it is gone
                // there.
                continue;
            }
            if (before == null) {
                add(entry, gpu);
            } else if (!before.device.model().equals(gpu.model())) {
                allocator.removeDevice(gpu.id());
                add(entry, gpu);
            } else if (before.device.cordoned() != gpu.cordoned()) {
                allocator.cordon(gpu.id(), gpu.cordoned());
                become(before, gpu);
            }
        }
        left.values().forEach(gone -> remove(entry, gone));
        if (entry.gpus.isEmpty()) {
            nodes.remove(node);
        }
    }

    private void add(Entry entry, SliceDevice gpu) {
        allocator.addDevice(gpu);
        entry.gpus.put(gpu.id(), new Gpu(gpu));
        gpus.put(gpu.id(), gpu);
    }

    private void remove(Entry entry, Gpu gone) {
        String id = gone.device.id();
        if (gone.carried.isEmpty()) {
            allocator.removeDevice(id);
            entry.gpus.remove(id);
            gpus.remove(id);
        } else {
            allocator.cordon(id, true);
            become(gone, SliceDevice.builder().from(gone.device).cordoned(true).build());
        }
    }

    private static void become(Gpu gpu, SliceDevice device) {
        gpu.device = device;
        gpu.state = UNNUMBERED;
    }

    /** Notes that a claim came to a node or left it. */
    void changed(PlacedSlice slice, boolean came) {
        Entry entry = nodes.get(slice.node());
        Gpu gpu = entry == null ? null : entry.gpus.get(slice.gpu());
        if (entry == null || gpu == null) {
            return;
        }
        entry.answers = null;
        gpu.state = UNNUMBERED;
        if (came) {
            gpu.carried.put(slice.id(), slice);
        } else {
            gpu.carried.remove(slice.id());
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
                        .anyMatch(gpu -> gpu.device.model().profile(profile).isPresent());
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
    List<String> fullestFirst(String node) {
        Entry entry = nodes.get(node);
        if (entry == null) {
            return List.of();
        }
        return entry.gpus.values().stream()
                .filter(gpu -> !gpu.device.cordoned())
                .sorted(Comparator.comparingInt(gpu -> -gpu.units()))
                .map(gpu -> gpu.device.id())
                .toList();
    }

    /** Null for a node without GPUs. */
    @Nullable State state(String node) {
        Entry entry = nodes.get(node);
        if (entry == null) {
            return null;
        }
        if (states.size() >= MOST_STATES) {
            states.clear();
            nodes.values().forEach(each -> each.gpus.values().forEach(gpu -> gpu.state = UNNUMBERED));
        }
        int[] numbers = new int[entry.gpus.size()];
        int i = 0;
        for (Gpu gpu : entry.gpus.values()) {
            if (gpu.state == UNNUMBERED) {
                gpu.state = states.computeIfAbsent(text(gpu), added -> nextState++);
            }
            numbers[i++] = gpu.state;
        }
        Arrays.sort(numbers);
        return new State(Arrays.stream(numbers).boxed().toList());
    }

    private String text(Gpu gpu) {
        Set<String> places = new TreeSet<>();
        gpu.carried.values().forEach(slice -> places.add(slice.profile() + "@" + slice.start()));
        return models.computeIfAbsent(gpu.device.model(), added -> models.size())
                + (gpu.device.cordoned() ? "!" : "")
                + places;
    }

    List<String> names() {
        return List.copyOf(new TreeSet<>(nodes.keySet()));
    }
}
