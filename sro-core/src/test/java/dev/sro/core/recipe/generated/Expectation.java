package dev.sro.core.recipe.generated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What has to become of a recipe, worked out from what its author means, by rules of the original:
 *
 * <ul>
 *   <li>a file is a state, in the order of the names; a folder is one, in the order that was in the code of its operator;
 *   <li>a state comes when all is ready that the states before it wait for;
 *   <li>waited for is what is annotated with {@code wait: "true"}; where no such annotation is known, everything;
 *   <li>a build with a vendor is made only when a DaemonSet of that vendor cannot pull its image.
 * </ul>
 *
 * <p>And by those of SRO where it differs on purpose, each marked with "SRO:" where it is.
 */
final class Expectation {

    private static final String VENDOR = Item.PREFIX + "driver-container-vendor";
    private static final String WAIT = Item.PREFIX + "wait";

    /**
     * A state.
     *
     * @param number what its node label ends with
     */
    record State(String number, List<Wanted> wanted, boolean broken) {}

    /**
     * An object of all kernels, or one for each.
     *
     * @param kernels one for each; empty for one of all
     */
    record Wanted(Item item, List<Kernel> kernels, boolean waited) {
        List<Placed> places() {
            return kernels.isEmpty()
                    ? List.of(new Placed(item, Optional.empty()))
                    : kernels.stream()
                            .map(kernel -> new Placed(item, Optional.of(kernel)))
                            .toList();
        }

        String key() {
            return item.kind() + " " + item.namespace() + "/" + item.name() + " " + !kernels.isEmpty();
        }
    }

    /** An object for a kernel; for none if it is there once. */
    record Placed(Item item, Optional<Kernel> kernel) {

        @Override
        public String toString() {
            return item.mark() + " " + kernel.map(Kernel::raw).orElse("all");
        }
    }

    final Blueprint blueprint;
    final List<Kernel> kernels;
    final List<State> states = new ArrayList<>();

    /** The namespace of the operands, if it is in the recipe. */
    Optional<Item> namespace = Optional.empty();

    Expectation(Blueprint blueprint) {
        this.blueprint = blueprint;
        this.kernels = kernels(blueprint);
        if (blueprint.refusal().isEmpty() && !kernels.isEmpty()) {
            group();
            once();
        }
    }

    /** By the label that the recipe names with the value true, and the node selector; without both the workers. */
    static List<Blueprint.Machine> selected(Blueprint blueprint) {
        return blueprint.nodes().stream()
                .filter(node -> blueprint.nodeFeature().isEmpty()
                        || "true".equals(node.labels().get(blueprint.nodeFeature())))
                .filter(node -> node.labels()
                        .entrySet()
                        .containsAll(blueprint.nodeSelector().entrySet()))
                .filter(node -> !blueprint.nodeFeature().isEmpty()
                        || !blueprint.nodeSelector().isEmpty()
                        || node.labels().containsKey("node-role.kubernetes.io/worker"))
                .toList();
    }

    /** Without those whose taints nothing of the recipe tolerates. SRO: a cordoned node counts, as it did not in the original. */
    static List<Blueprint.Machine> served(Blueprint blueprint) {
        return selected(blueprint).stream()
                .filter(node -> !node.keepsOff() || tolerates(blueprint, node.kernel()))
                .toList();
    }

    /** SRO: a node is served if all DaemonSets for it tolerate its taints. The original left out every node with one. */
    private static boolean tolerates(Blueprint blueprint, Kernel kernel) {
        return blueprint.tolerant()
                && blueprint.files().stream()
                        .filter(file -> blueprint.files().stream()
                                .noneMatch(other -> other.flaw() != Blueprint.Flaw.NONE
                                        && group(other.name()).equals(group(file.name()))))
                        .flatMap(file -> file.items().stream())
                        .anyMatch(item -> item.kind() == Kind.DAEMON_SET && item.isThere(kernel));
    }

    private static List<Kernel> kernels(Blueprint blueprint) {
        return served(blueprint).stream()
                .map(Blueprint.Machine::kernel)
                .distinct()
                .sorted((a, b) -> a.order().compareTo(b.order()))
                .toList();
    }

    private static String group(String file) {
        int slash = file.indexOf('/');
        return slash < 0 ? file : file.substring(0, slash);
    }

    private void group() {
        Map<String, List<Blueprint.File>> groups = new LinkedHashMap<>();
        List<Blueprint.File> sorted = blueprint.files().stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
        if (blueprint.era() == Blueprint.Era.FOLDERS) {
            BlueprintGenerator.FOLDERS.forEach(folder -> sorted.stream()
                    .filter(file -> file.name().startsWith(folder + "/"))
                    .forEach(file -> groups.computeIfAbsent(folder, unused -> new ArrayList<>())
                            .add(file)));
        }
        for (Blueprint.File file : sorted) {
            String group = group(file.name());
            if (!BlueprintGenerator.FOLDERS.contains(group)) {
                groups.computeIfAbsent(group, unused -> new ArrayList<>()).add(file);
            }
        }
        int last = -1;
        int folders = 0;
        for (Map.Entry<String, List<Blueprint.File>> group : groups.entrySet()) {
            folders++;
            boolean numbered = group.getKey().matches("[0-9]{4}[-_].*");
            // SRO: node labels need a number. Folders count by hundreds, other files from the one before.
            int number = numbered
                    ? Integer.parseInt(group.getKey().substring(0, 4))
                    : blueprint.era() == Blueprint.Era.FOLDERS ? folders * 100 : last + 1;
            last = number;
            states.add(state(String.format("%04d", number), group.getValue()));
        }
    }

    private State state(String number, List<Blueprint.File> files) {
        // SRO: nothing of a state is applied that cannot be read as a whole. The original had applied what came before
        // the mistake.
        boolean broken = files.stream().anyMatch(file -> file.flaw() != Blueprint.Flaw.NONE);
        List<Wanted> wanted = new ArrayList<>();
        if (!broken) {
            for (Blueprint.File file : files) {
                file.items().forEach(item -> {
                    List<Kernel> there = kernels.stream().filter(item::isThere).toList();
                    // SRO: what is there once is as for the first kernel that has it.
                    boolean once = !there.isEmpty();
                    if (item.kind() == Kind.NAMESPACE && item.name().equals(Blueprint.SPACE)) {
                        // SRO: the namespace of the operands comes before all states.
                        namespace = once ? Optional.of(item) : namespace;
                    } else if (isAffine(item) ? !there.isEmpty() : once) {
                        Wanted next = new Wanted(item, isAffine(item) ? there : List.of(), waits(item));
                        // Within a state only the last one is ever looked at.
                        wanted.removeIf(former -> former.key().equals(next.key()));
                        wanted.add(next);
                    }
                });
            }
        }
        return new State(number, wanted, broken);
    }

    /** SRO: whatever runs on nodes and has the kernel in it is there for each kernel. The original knew one. */
    private boolean isAffine(Item item) {
        Optional<String> said = item.says(Item.PREFIX + "kernel-affine");
        return said.map("true"::equals).orElse(item.kind().runs() && hasKernel(item.body()));
    }

    private boolean hasKernel(Object tree) {
        if (tree instanceof Word word) {
            return word.has(Word.Var.KERNEL);
        }
        if (tree instanceof Item.Arguments) {
            return blueprint.arguments().values().stream().anyMatch(word -> word.has(Word.Var.KERNEL));
        }
        if (tree instanceof Map<?, ?> map) {
            return map.values().stream().anyMatch(this::hasKernel);
        }
        return tree instanceof List<?> list && list.stream().anyMatch(this::hasKernel);
    }

    private boolean waits(Item item) {
        boolean known = blueprint.files().stream()
                .flatMap(file -> file.items().stream())
                .anyMatch(each -> each.annotations().keySet().stream()
                        .anyMatch(key -> key.equals(WAIT) || key.endsWith("/wait-for-logs")));
        String said = item.says(WAIT).orElse("unsaid");
        // SRO: DaemonSets and definitions are waited for unless they say otherwise, as node labels come of the former.
        boolean always = item.kind() == Kind.DAEMON_SET || item.kind() == Kind.DEFINITION;
        // SRO: not only pods, DaemonSets and builds are waited for where nothing says what is.
        boolean unsaid = known ? always : item.kind().hasRule();
        // SRO: nothing is waited for that says false, not even its logs.
        return !said.equals("false")
                && item.kind().hasRule()
                && (unsaid || said.equals("true") || !item.logs().isEmpty());
    }

    /**
     * SRO: one object in several states is there once, as the last of them says: from the first of the states on, a workload from the
     * last one. The original applied one after the other, and began anew with the next event.
     */
    private void once() {
        Map<String, Integer> first = new LinkedHashMap<>();
        for (int i = 0; i < states.size(); i++) {
            for (Wanted wanted : List.copyOf(states.get(i).wanted())) {
                Integer before = first.putIfAbsent(wanted.key(), i);
                if (before == null) {
                    continue;
                }
                states.get(i).wanted().remove(wanted);
                List<Wanted> there = states.get(before).wanted();
                Wanted former = there.stream()
                        .filter(each -> each.key().equals(wanted.key()))
                        .findFirst()
                        .orElseThrow();
                boolean workload = wanted.item().kind().runs() && wanted.item().kind() != Kind.BUILD_CONFIG;
                if (former.item().equals(wanted.item())) {
                    continue;
                }
                if (workload) {
                    there.remove(former);
                    states.get(i).wanted().add(wanted);
                    first.put(wanted.key(), i);
                } else {
                    there.set(there.indexOf(former), wanted);
                }
            }
        }
    }

    /**
     * What is there when nothing moves any more, while these are ready. SRO: kernel by kernel; what all have in common is there as soon
     * as one of them is so far. The original went from state to state with all kernels at once.
     */
    Set<Placed> applied(Set<Placed> before, Set<Item> ready) {
        Set<Placed> applied = new LinkedHashSet<>(before);
        int size = -1;
        while (size != applied.size()) {
            size = applied.size();
            List<Kernel> open = new ArrayList<>(kernels);
            for (State state : states) {
                if (state.broken() || open.isEmpty()) {
                    break;
                }
                Set<Placed> known = Set.copyOf(applied);
                List<Kernel> there = List.copyOf(open);
                state.wanted()
                        .forEach(wanted -> wanted.places().stream()
                                .filter(place ->
                                        place.kernel().map(there::contains).orElse(true))
                                .filter(place -> !isHeldBack(place, known, ready))
                                .forEach(applied::add));
                open.removeIf(kernel -> !state.wanted().stream()
                        .filter(Wanted::waited)
                        .flatMap(wanted -> wanted.places().stream())
                        .filter(place -> concerns(place, kernel))
                        .allMatch(place -> isSettled(place, applied, ready)));
            }
        }
        return applied;
    }

    /** SRO: nodes wait for their own pods. What is there once, and selects nodes by a kernel, has that of the first one. */
    private boolean concerns(Placed place, Kernel kernel) {
        Item item = place.item();
        boolean pinned = item.kind() == Kind.DAEMON_SET
                && place.kernel().isEmpty()
                && hasKernel(selector(item.body(), item.kind().nodes()));
        return pinned
                ? kernels.stream().filter(item::isThere).findFirst().equals(Optional.of(kernel))
                : place.kernel().map(kernel::equals).orElse(true);
    }

    private static Object selector(Object tree, List<String> path) {
        Object at = tree;
        for (String key : path) {
            at = at instanceof Map<?, ?> map && map.containsKey(key) ? map.get(key) : Map.of();
        }
        return at instanceof Map<?, ?> map && map.containsKey("nodeSelector") ? map.get("nodeSelector") : Map.of();
    }

    private boolean isSettled(Placed place, Set<Placed> applied, Set<Item> ready) {
        return applied.contains(place) ? ready.contains(place.item()) : isHeldBack(place, applied, ready);
    }

    /** Nobody needs the build as long as the images of its vendor can be pulled. */
    private boolean isHeldBack(Placed place, Set<Placed> applied, Set<Item> ready) {
        Item item = place.item();
        String vendor = item.says(VENDOR).orElse("");
        if (item.kind() != Kind.BUILD_CONFIG || vendor.isEmpty()) {
            return false;
        }
        // SRO: a build of a vendor without a DaemonSet is made; the original never made it.
        List<Placed> users = all().filter(wanted -> wanted.item().kind() == Kind.DAEMON_SET
                        && wanted.item().says(VENDOR).orElse("").equals(vendor))
                .flatMap(wanted -> wanted.places().stream())
                .filter(user -> user.kernel().isEmpty()
                        || place.kernel().isEmpty()
                        || user.kernel().equals(place.kernel()))
                .toList();
        return !users.isEmpty()
                && users.stream().noneMatch(user -> applied.contains(user) && cannotPull(user.item(), ready));
    }

    /** Whether its image is not there: it is of a vendor whose image is missing, and was not built. */
    boolean cannotPull(Item daemonSet, Set<Item> ready) {
        String vendor = daemonSet.says(VENDOR).orElse("");
        return blueprint.missing().contains(vendor)
                && ready.stream()
                        .noneMatch(each -> each.kind() == Kind.BUILD_CONFIG
                                && each.says(VENDOR).orElse("").equals(vendor));
    }

    java.util.stream.Stream<Wanted> all() {
        return states.stream().flatMap(state -> state.wanted().stream());
    }

    /** Whether nothing is left to wait for. */
    boolean isDone(Set<Placed> applied, Set<Item> ready) {
        return states.stream().noneMatch(State::broken)
                && all().flatMap(wanted -> wanted.places().stream()
                                .map(place -> (applied.contains(place) && !wanted.waited())
                                        || isSettled(place, applied, ready)))
                        .allMatch(settled -> settled);
    }
}
