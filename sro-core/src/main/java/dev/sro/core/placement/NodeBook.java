package dev.sro.core.placement;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** GPUs of nodes, what they carry, and what is remembered of the states of both. Not thread-safe. */
final class NodeBook {
    /** States of GPUs remembered at most; they are made anew. An A100 has some hundreds that occur. */
    private static final int MOST_STATES = 16_384;

    /** A node with GPUs. */
    static final class Node {
        private final int number;
        final Map<String, Gpu> gpus = new LinkedHashMap<>();

        Node(int number) {
            this.number = number;
        }

        /** Whether a GPU of it has the profile, in service or not. */
        boolean offers(String profile) {
            return gpus.values().stream()
                    .anyMatch(gpu -> gpu.device.model().profile(profile).isPresent());
        }
    }

    /** A GPU and what it carries. */
    static final class Gpu {
        private SliceDevice device;
        private final Map<String, PlacedSlice> carried = new LinkedHashMap<>();
        private final int model;
        private @Nullable GpuState state;

        private Gpu(SliceDevice device, int model) {
            this.device = device;
            this.model = model;
        }

        SliceDevice device() {
            return device;
        }

        private int units() {
            return carried.values().stream().mapToInt(PlacedSlice::size).sum();
        }
    }

    /** What GPUs of one model that carry the same have in common. */
    static final class GpuState {
        private final int number;
        final StateAnswers answers = new StateAnswers();

        GpuState(int number) {
            this.number = number;
        }
    }

    private record GpuKey(int model, boolean cordoned, List<Integer> places) {}

    /** More than a start has. */
    private static final int START_BITS = 8;

    /**
     * What a node has and carries, the same for nodes that answer the same. Immutable.
     *
     * @param gpus numbers of the states of its GPUs, sorted
     */
    record State(List<Integer> gpus) {}

    private final SliceAllocator allocator;
    private final NodeNames names = new NodeNames();
    /** By number. */
    private final List<@Nullable Node> nodes = new ArrayList<>();

    private final AnswerTable answers = new AnswerTable();
    private final Map<String, SliceDevice> gpus = new HashMap<>();
    private final Map<DeviceModel, Integer> models = new HashMap<>();
    private final Map<GpuKey, GpuState> states = new HashMap<>();
    /** Never given twice, so that what was remembered under an old number is nobody's. */
    private int nextState;

    NodeBook(SliceAllocator allocator) {
        this.allocator = allocator;
    }

    /** Claims that have to be put aside while the GPUs of a node become these. */
    List<String> displacedBy(String node, List<SliceDevice> wanted) {
        Node entry = node(node);
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
        Node entry = added(node);
        answers.forget(entry.number);
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
            nodes.set(entry.number, null);
            names.remove(node);
        }
    }

    private Node added(String name) {
        int number = names.add(name);
        if (number == nodes.size()) {
            nodes.add(null);
            answers.size(number + 1);
        }
        Node known = nodes.get(number);
        Node node = known == null ? new Node(number) : known;
        nodes.set(number, node);
        return node;
    }

    private void add(Node entry, SliceDevice gpu) {
        allocator.addDevice(gpu);
        entry.gpus.put(gpu.id(), new Gpu(gpu, models.computeIfAbsent(gpu.model(), added -> models.size())));
        gpus.put(gpu.id(), gpu);
    }

    private void remove(Node entry, Gpu gone) {
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
        gpu.state = null;
    }

    /** Notes that a claim came to a node or left it. */
    void changed(PlacedSlice slice, boolean came) {
        Node entry = node(slice.node());
        Gpu gpu = entry == null ? null : entry.gpus.get(slice.gpu());
        if (entry == null || gpu == null) {
            return;
        }
        answers.forget(entry.number);
        gpu.state = null;
        if (came) {
            gpu.carried.put(slice.id(), slice);
        } else {
            gpu.carried.remove(slice.id());
        }
    }

    boolean carries(String node, String gpu) {
        Node entry = node(node);
        return entry != null && entry.gpus.containsKey(gpu);
    }

    int size(String gpu, String profile) {
        SliceDevice device = gpus.get(gpu);
        return device == null
                ? 0
                : device.model().profile(profile).map(SliceProfile::size).orElse(0);
    }

    /** The number of a node with GPUs; {@link NodeNames#NONE} for one without. */
    int number(String name) {
        return names.of(name);
    }

    /** The number of a node of a list, as {@link #number(String)}. */
    int number(NodeNameList list, int i) {
        return names.of(list, i);
    }

    /** The node of a number. */
    Node node(int number) {
        return Objects.requireNonNull(nodes.get(number));
    }

    private @Nullable Node node(String name) {
        int number = names.of(name);
        return number == NodeNames.NONE ? null : nodes.get(number);
    }

    /** What nodes answer to a shape, by number, for as long as they do not change. Not to be kept. */
    int[] answers(int shape) {
        return answers.row(shape);
    }

    void forgetAnswers() {
        answers.clear();
        states.values().forEach(state -> state.answers.forget());
    }

    /** GPUs of a node that take something new, those that carry most first, then in the order in which they came. */
    List<String> fullestFirst(String node) {
        Node entry = node(node);
        if (entry == null) {
            return List.of();
        }
        return entry.gpus.values().stream()
                .filter(gpu -> !gpu.device.cordoned())
                .sorted(Comparator.comparingInt(gpu -> -gpu.units()))
                .map(gpu -> gpu.device.id())
                .toList();
    }

    State state(Node node) {
        int[] numbers = new int[node.gpus.size()];
        int i = 0;
        for (Gpu gpu : node.gpus.values()) {
            numbers[i++] = state(gpu).number;
        }
        Arrays.sort(numbers);
        return new State(Arrays.stream(numbers).boxed().toList());
    }

    GpuState state(Gpu gpu) {
        GpuState state = gpu.state;
        if (state == null) {
            if (states.size() >= MOST_STATES) {
                forgetStates();
            }
            state = states.computeIfAbsent(key(gpu), added -> new GpuState(nextState++));
            gpu.state = state;
        }
        return state;
    }

    private void forgetStates() {
        states.clear();
        for (Node node : nodes) {
            if (node != null) {
                node.gpus.values().forEach(gpu -> gpu.state = null);
            }
        }
    }

    private static GpuKey key(Gpu gpu) {
        DeviceModel model = gpu.device.model();
        List<Integer> places = new ArrayList<>(gpu.carried.size());
        for (PlacedSlice slice : gpu.carried.values()) {
            places.add((model.indexOf(slice.profile()) << START_BITS) + slice.start());
        }
        Collections.sort(places);
        return new GpuKey(gpu.model, gpu.device.cordoned(), places);
    }

    List<String> names() {
        return names.all().stream().sorted().toList();
    }
}
