package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Verifies an {@link InfeasibilityCertificate} from the rules of the model and what runs, and from nothing else: it shares no code with what made
 * it. It tries every legal set of slices of one device, so that what a device carries at most is seen, not believed. For one check.
 */
public final class CertificateChecker {
    private final InfeasibilityCertificate certificate;
    private final DeviceModel model;
    private final List<String> errors = new ArrayList<>();

    private CertificateChecker(InfeasibilityCertificate certificate, DeviceModel model) {
        this.certificate = certificate;
        this.model = model;
    }

    /**
     * What is wrong with a certificate; empty if it proves what it says.
     *
     * @param model the device model that it is about
     * @param running for each device in service, the names of the profiles of the slices on it
     */
    public static List<String> check(
            InfeasibilityCertificate certificate, DeviceModel model, Collection<List<String>> running) {
        CertificateChecker checker = new CertificateChecker(certificate, model);
        checker.facts(running);
        checker.prove();
        return checker.errors;
    }

    /**
     * What is wrong with a certificate by itself, whatever runs: empty if it would prove what it says where there are as many devices as it says,
     * with what it says on them.
     *
     * @param model the device model that it is about
     */
    public static List<String> check(InfeasibilityCertificate certificate, DeviceModel model) {
        CertificateChecker checker = new CertificateChecker(certificate, model);
        checker.terms();
        checker.prove();
        return checker.errors;
    }

    private void prove() {
        if (errors.isEmpty()) {
            try {
                everySet(0, new ArrayList<>(), 0);
                sum();
            } catch (ArithmeticException e) {
                errors.add("its numbers are too large");
            }
        }
    }

    private void terms() {
        if (!model.key().equals(certificate.model())) {
            errors.add("it is about " + certificate.model() + ", not " + model.key());
        }
        if (certificate.parts().size() > model.profiles().size()) {
            errors.add("it has " + certificate.parts().size() + " parts, and the model has "
                    + model.profiles().size() + " profiles");
            return;
        }
        known("counts", certificate.counts().keySet());
        known("wanted", certificate.wanted().keySet());
        certificate.parts().forEach(part -> known("weights", part.weights().keySet()));
        if (certificate.devices() < 0 || certificate.counts().values().stream().anyMatch(count -> count <= 0)) {
            errors.add("it counts less than nothing");
        }
        asked();
        if (errors.isEmpty()) {
            vacuous();
        }
    }

    private void known(String what, Set<String> profiles) {
        Set<String> own = model.profiles().stream().map(SliceProfile::name).collect(Collectors.toSet());
        profiles.stream()
                .filter(profile -> !own.contains(profile))
                .sorted()
                .limit(1)
                .forEach(profile ->
                        errors.add(what + " names " + profile + ", which " + model.key() + " does not have"));
    }

    /** Nothing fits beside what cannot be there itself: that would prove anything. */
    private void vacuous() {
        try {
            long occupied = certificate.occupied();
            if (occupied > certificate.devices()) {
                errors.add("what it says that runs needs " + occupied + " devices by its weights, and it says "
                        + certificate.devices());
            }
        } catch (ArithmeticException e) {
            errors.add("its numbers are too large");
        }
    }

    private void facts(Collection<List<String>> running) {
        if (!model.key().equals(certificate.model())) {
            errors.add("it is about " + certificate.model() + ", not " + model.key());
        }
        if (running.size() != certificate.devices()) {
            errors.add("it says " + certificate.devices() + " devices, there are " + running.size());
        }
        Map<String, Long> counts = new HashMap<>();
        running.forEach(device -> device.forEach(profile -> counts.merge(profile, 1L, Long::sum)));
        if (!counts.equals(certificate.counts())) {
            errors.add("it says that " + certificate.counts() + " run, " + counts + " do");
        }
        asked();
    }

    private void asked() {
        if (certificate.wanted().isEmpty()
                || certificate.wanted().values().stream().anyMatch(count -> count <= 0)) {
            errors.add("it asks for " + certificate.wanted() + ", which is nothing");
        }
        if (certificate.parts().stream().anyMatch(part -> part.perDevice() <= 0)) {
            errors.add("a device carries nothing by it");
        }
    }

    /** One slice on one device. */
    private record Slice(SliceProfile profile, int start) {
        boolean overlaps(Slice other) {
            return start < other.start + other.profile.size() && other.start < start + profile.size();
        }
    }

    /** All legal sets of slices of one device, each once: those that go on from a set with slices at {@code from} or later. */
    private void everySet(int from, List<Slice> set, int depth) {
        weigh(set);
        int number = 0;
        for (SliceProfile profile : model.profiles()) {
            for (int start : profile.starts()) {
                Slice slice = new Slice(profile, start);
                if (number++ >= from && errors.isEmpty() && goesWith(set, slice)) {
                    set.add(slice);
                    everySet(number, set, depth + 1);
                    set.remove(depth);
                }
            }
        }
    }

    private boolean goesWith(List<Slice> set, Slice slice) {
        SliceProfile profile = slice.profile();
        long same =
                set.stream().filter(other -> other.profile().equals(profile)).count();
        long ofClass = set.stream()
                .filter(other -> other.profile().limitClass().equals(profile.limitClass()))
                .count();
        Integer most =
                profile.limitClass().isEmpty() ? null : model.classLimits().get(profile.limitClass());
        boolean engines = model.engineCapacity().entrySet().stream()
                .allMatch(engine -> set.stream()
                                        .mapToInt(other ->
                                                other.profile().engines().getOrDefault(engine.getKey(), 0))
                                        .sum()
                                + profile.engines().getOrDefault(engine.getKey(), 0)
                        <= engine.getValue());
        return set.stream().noneMatch(slice::overlaps)
                && set.stream().allMatch(other -> other.profile().mode().equals(profile.mode()))
                && same < profile.maxInstances()
                && (most == null || ofClass < most)
                && engines;
    }

    /** A device must not carry more than is said, and must not carry slices of two parts. */
    private void weigh(List<Slice> set) {
        Map<String, Long> counts = new HashMap<>();
        set.forEach(slice -> counts.merge(slice.profile().name(), 1L, Long::sum));
        int parts = 0;
        for (InfeasibilityCertificate.Part part : certificate.parts()) {
            long weight = part.weight(counts);
            parts += weight > 0 ? 1 : 0;
            if (weight > part.perDevice()) {
                errors.add("a device can carry " + counts + ", which weighs " + weight + ", not " + part.perDevice()
                        + " at most");
            }
        }
        if (parts > 1) {
            errors.add("a device can carry " + counts + ", which is of several parts");
        }
    }

    private void sum() {
        if (certificate.needed() <= certificate.devices()) {
            errors.add("by its weights " + certificate.needed() + " devices are enough");
        }
    }
}
