package dev.sro.core.dra;

import dev.sro.core.dra.SharedCounters.Counter;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Counters that a model may have: those of NVIDIA's driver under its names, and those that other rules need. Stateless but for notes. */
final class CounterCandidates {
    /** NVIDIA's names for engines; the names of the catalogue elsewhere. */
    private static final Map<String, String> ENGINES =
            Map.of("nvdec", "decoders", "nvenc", "encoders", "jpeg", "jpeg-engines", "ofa", "ofa-engines");

    /** Of counters of which there is one for each memory unit. */
    static final String UNIT = "memory-slice-";

    private static final Pattern GIGABYTES = Pattern.compile("([1-9][0-9]*)gb");

    /** Drivers cut memory in parts of 64 MiB and print it in GiB with two digits. */
    private static final double PARTS_PER_GIB = 16;

    private static final long MIB_PER_PART = 64;

    private static final long MIB_PER_GIB = 1024;

    private final Geometry geometry;
    private final DeviceModel model;
    private final List<String> notes = new ArrayList<>();

    CounterCandidates(Geometry geometry) {
        this.geometry = geometry;
        this.model = geometry.model();
    }

    List<String> notes() {
        return notes;
    }

    /** The counter of an engine of the catalogue. */
    static String engine(String name) {
        return ENGINES.getOrDefault(name, DeviceNames.slug(name));
    }

    /** The set of NVIDIA's driver: capacity is the most that a profile takes, of engines what the device has. */
    List<Counter> nvidia() {
        List<Counter> counters = new ArrayList<>();
        addIfKnown(counters, "multiprocessors", profile -> toLong(profile.multiprocessors()));
        addIfKnown(counters, "copy-engines", profile -> toLong(profile.copyEngines()));
        for (String engine : new TreeSet<>(model.engineCapacity().keySet())) {
            counters.add(counter(
                    engine(engine),
                    model.engineCapacity().getOrDefault(engine, 0),
                    placement -> profileOf(placement).engines().getOrDefault(engine, 0)));
        }
        memory().ifPresent(counters::add);
        for (int unit = 0; unit < geometry.units(); unit++) {
            int bit = unit;
            counters.add(counter(UNIT + unit, 1, placement -> geometry.windowOf(placement) >>> bit & 1));
        }
        return counters;
    }

    /**
     * What drivers print, where that is known of every profile. Else the largest name is cut into equal units, as names are rounded so that they
     * would exclude legal layouts.
     */
    private Optional<Counter> memory() {
        List<SliceProfile> profiles = model.profiles();
        if (profiles.stream().allMatch(profile -> profile.memoryGiB().isPresent())) {
            long most = profiles.stream()
                    .mapToLong(CounterCandidates::printedMiB)
                    .max()
                    .orElse(0);
            return Optional.of(counter(DeviceFactory.MEMORY, most, placement -> printedMiB(profileOf(placement))));
        }
        long largest = profiles.stream()
                .mapToLong(profile -> {
                    Matcher name = GIGABYTES.matcher(profile.name());
                    return name.find() ? MIB_PER_GIB * Long.parseLong(name.group(1)) : 0;
                })
                .max()
                .orElse(0);
        if (largest == 0) {
            notes.add("counter memory is left out: neither catalogue nor names say how much there is");
            return Optional.empty();
        }
        long unit = largest / geometry.units();
        notes.add("counter memory is counted in units of " + unit + " MiB: it is not known for every profile");
        return Optional.of(counter(
                DeviceFactory.MEMORY,
                unit * geometry.units(),
                placement -> unit * profileOf(placement).size()));
    }

    /** Usable memory of an instance in MiB, as a driver has it; 0 where that is not known. */
    static long printedMiB(SliceProfile profile) {
        return Math.round(profile.memoryGiB().orElse(0.0) * PARTS_PER_GIB) * MIB_PER_PART;
    }

    private void addIfKnown(List<Counter> counters, String name, Function<SliceProfile, OptionalLong> figure) {
        List<SliceProfile> unknown = model.profiles().stream()
                .filter(profile -> figure.apply(profile).isEmpty())
                .toList();
        if (!unknown.isEmpty()) {
            notes.add("counter " + name + " is left out: it is not known for "
                    + String.join(", ", unknown.stream().map(SliceProfile::name).toList()));
            return;
        }
        long most = model.profiles().stream()
                .mapToLong(profile -> figure.apply(profile).orElse(0))
                .max()
                .orElse(0);
        counters.add(counter(
                name, most, placement -> figure.apply(profileOf(placement)).orElse(0)));
    }

    /** What the rules of a model need that are not of geometry or engines: most instances, classes, modes. */
    List<Counter> others() {
        List<Counter> counters = new ArrayList<>();
        for (int index = 0; index < geometry.profiles(); index++) {
            int profile = index;
            counters.add(counter(
                    DeviceNames.label("instances-"
                            + DeviceNames.slug(geometry.profile(profile).name())),
                    geometry.profile(profile).maxInstances(),
                    placement -> geometry.profileOf(placement) == profile ? 1 : 0));
        }
        for (String name : new TreeSet<>(model.classLimits().keySet())) {
            counters.add(counter(
                    DeviceNames.label("class-" + DeviceNames.slug(name)),
                    model.classLimits().getOrDefault(name, 0),
                    placement -> profileOf(placement).limitClass().equals(name) ? 1 : 0));
        }
        counters.addAll(modes());
        return counters;
    }

    // An instance takes all of its counter, and every instance of another mode so much that a full device of that mode
    // fits: so one
    // instance of this mode and one of another never do. Modes of few instances first, as they need few counters.
    private List<Counter> modes() {
        Map<String, Integer> most = new LinkedHashMap<>();
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            long set = geometry.placementsOf(layout);
            if (set != 0) {
                String mode = profileOf(Long.numberOfTrailingZeros(set)).mode();
                most.merge(mode, Long.bitCount(set), Math::max);
            }
        }
        if (most.size() < 2) {
            return List.of();
        }
        long all = most.values().stream().mapToLong(Integer::longValue).reduce(1, CounterCandidates::lcm);
        IntFunction<String> modeOf = placement -> profileOf(placement).mode();
        return IntStream.range(0, geometry.placements())
                .boxed()
                .sorted(Comparator.comparingInt((Integer placement) -> most.getOrDefault(modeOf.apply(placement), 1)))
                .map(own -> counter(
                        DeviceNames.label(
                                "mode-" + DeviceNames.slug(profileOf(own).name()) + "-" + geometry.startOf(own)),
                        all,
                        placement -> placement == own
                                ? all
                                : modeOf.apply(placement).equals(modeOf.apply(own))
                                        ? 0
                                        : all / most.getOrDefault(modeOf.apply(placement), 1)))
                .toList();
    }

    private SliceProfile profileOf(int placement) {
        return geometry.profile(geometry.profileOf(placement));
    }

    private Counter counter(String name, long capacity, IntToLongFunction use) {
        return new Counter(
                name,
                capacity,
                IntStream.range(0, geometry.placements())
                        .mapToObj(use::applyAsLong)
                        .toList());
    }

    private static OptionalLong toLong(OptionalInt value) {
        return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
    }

    private static long lcm(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return a / x * b;
    }
}
