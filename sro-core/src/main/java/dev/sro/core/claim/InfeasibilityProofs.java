package dev.sro.core.claim;

import dev.sro.core.dra.CertificateChecker;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Proofs that slices fit on no arrangement, each verified. Not thread-safe. */
final class InfeasibilityProofs {
    private final SliceAllocator allocator;
    private final Map<String, Long> wanted;
    private final Map<DeviceModel, Feasibility> known = new HashMap<>();
    /** Nodes are mostly alike: what is proved of one holds for those that have and run the same. */
    private final Map<Question, Optional<InfeasibilityCertificate>> answered = new HashMap<>();

    private record Question(DeviceModel model, int devices, Map<String, Long> counts, Map<String, Long> wanted) {}

    /**
     * @param allocator with all GPUs that may serve
     * @param wanted how many slices of each profile, all at the same time
     */
    InfeasibilityProofs(SliceAllocator allocator, Map<String, Long> wanted) {
        this.allocator = allocator;
        this.wanted = new TreeMap<>(wanted);
    }

    /** That no arrangement of what runs leaves room; empty where that is not proved. */
    List<InfeasibilityCertificate> besideWhatRuns() {
        return prove(asTheyAre());
    }

    private List<ProofGround> asTheyAre() {
        Map<String, List<String>> running = new TreeMap<>();
        for (SliceClaim claim : allocator.claims()) {
            running.computeIfAbsent(claim.device(), device -> new ArrayList<>()).add(claim.profile());
        }
        return groups(allocator.devices(), running);
    }

    /** All that a certificate may be about: the GPUs with what runs, and as if nothing ran one GPU, or those of each node. */
    Set<ProofGround> grounds() {
        Set<ProofGround> grounds = new LinkedHashSet<>(asTheyAre());
        allocator.devices().forEach(device -> grounds.add(new ProofGround(device.model(), List.of(List.of()))));
        nodes().values().forEach(devices -> grounds.addAll(groups(devices, Map.of())));
        return grounds.stream()
                .map(ground -> ground.asking(wanted))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private Map<String, List<SliceDevice>> nodes() {
        Map<String, List<SliceDevice>> nodes = new TreeMap<>();
        allocator
                .devices()
                .forEach(device -> nodes.computeIfAbsent(device.node(), node -> new ArrayList<>())
                        .add(device));
        return nodes;
    }

    /** That no GPU carries all, even if nothing runs on it; empty where that is not proved. */
    List<InfeasibilityCertificate> onOneGpu() {
        Set<DeviceModel> models = new LinkedHashSet<>();
        allocator.devices().forEach(device -> models.add(device.model()));
        List<InfeasibilityCertificate> all = new ArrayList<>();
        for (DeviceModel model : models) {
            if (wanted.keySet().stream().allMatch(name -> model.profile(name).isPresent())) {
                List<InfeasibilityCertificate> own = prove(List.of(new ProofGround(model, List.of(List.of()))));
                if (own.isEmpty()) {
                    return List.of();
                }
                all.addAll(own);
            }
        }
        return List.copyOf(all);
    }

    /** That no node carries all, even if nothing runs on it; empty where that is not proved. */
    List<InfeasibilityCertificate> onOneNode() {
        Set<InfeasibilityCertificate> all = new LinkedHashSet<>();
        for (List<SliceDevice> devices : nodes().values()) {
            boolean offered = wanted.keySet().stream()
                    .allMatch(name -> devices.stream()
                            .anyMatch(device -> device.model().profile(name).isPresent()));
            if (offered) {
                List<InfeasibilityCertificate> own = prove(groups(devices, Map.of()));
                if (own.isEmpty()) {
                    return List.of();
                }
                all.addAll(own);
            }
        }
        return List.copyOf(all);
    }

    private static List<ProofGround> groups(Iterable<SliceDevice> devices, Map<String, List<String>> running) {
        Map<DeviceModel, List<List<String>>> groups = new LinkedHashMap<>();
        for (SliceDevice device : devices) {
            groups.computeIfAbsent(device.model(), model -> new ArrayList<>())
                    .add(List.copyOf(running.getOrDefault(device.id(), List.of())));
        }
        List<ProofGround> all = new ArrayList<>();
        groups.forEach((model, own) -> all.add(new ProofGround(model, List.copyOf(own))));
        return all;
    }

    /** Of one profile there is less room than is asked for, or what one model alone has does not fit together. */
    private List<InfeasibilityCertificate> prove(List<ProofGround> groups) {
        for (Map.Entry<String, Long> one : wanted.entrySet()) {
            List<InfeasibilityCertificate> certificates = ofProfile(groups, one.getKey(), one.getValue());
            if (!certificates.isEmpty()) {
                return certificates;
            }
        }
        for (ProofGround group : groups) {
            Map<String, Long> alone = new TreeMap<>();
            wanted.forEach((name, count) -> {
                List<ProofGround> offering = groups.stream()
                        .filter(one -> one.model().profile(name).isPresent())
                        .toList();
                if (offering.equals(List.of(group))) {
                    group.model()
                            .profile(name)
                            .map(SliceProfile::name)
                            .ifPresent(own -> alone.merge(own, count, Long::sum));
                }
            });
            Optional<InfeasibilityCertificate> certificate =
                    alone.isEmpty() ? Optional.empty() : certificate(group, alone);
            if (certificate.isPresent()) {
                return List.of(certificate.get());
            }
        }
        return List.of();
    }

    /** Each model has room for at most one less than the fewest that are proved not to fit. */
    private List<InfeasibilityCertificate> ofProfile(List<ProofGround> groups, String name, long count) {
        List<InfeasibilityCertificate> certificates = new ArrayList<>();
        long room = 0;
        for (ProofGround group : groups) {
            Optional<SliceProfile> profile = group.model().profile(name);
            if (profile.isPresent()) {
                Optional<InfeasibilityCertificate> least = Optional.empty();
                for (long more = 1; least.isEmpty() && more <= count - room; more++) {
                    least = certificate(group, Map.of(profile.get().name(), more));
                }
                if (least.isEmpty()) {
                    return List.of();
                }
                certificates.add(least.get());
                room += least.get().wanted().values().iterator().next() - 1;
            }
        }
        return certificates;
    }

    /** How many were looked for, each with a check that tries every legal set of slices of a device. */
    int attempts() {
        return answered.size();
    }

    private Optional<InfeasibilityCertificate> certificate(ProofGround group, Map<String, Long> more) {
        Question question = new Question(group.model(), group.running().size(), group.counts(), more);
        Optional<InfeasibilityCertificate> before = answered.get(question);
        if (before != null) {
            return before;
        }
        Optional<InfeasibilityCertificate> made = make(group, more);
        answered.put(question, made);
        return made;
    }

    private Optional<InfeasibilityCertificate> make(ProofGround group, Map<String, Long> more) {
        Feasibility feasibility = known.computeIfAbsent(group.model(), model -> Feasibility.of(Geometry.of(model)));
        return InfeasibilityCertificate.of(
                        feasibility, group.counts(), more, group.running().size())
                .filter(certificate -> CertificateChecker.check(certificate, group.model(), group.running())
                        .isEmpty());
    }

    /** A certificate in words. */
    static String text(InfeasibilityCertificate certificate) {
        String counted = certificate.parts().stream()
                .map(InfeasibilityCertificate.Part::meaning)
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
        boolean one = certificate.wanted().values().stream()
                        .mapToLong(Long::longValue)
                        .sum()
                == 1;
        String asked = one ? "one more " + certificate.wantedText() : certificate.wantedText() + " more";
        boolean empty = certificate.counts().isEmpty();
        String needs = empty
                ? certificate.wantedText() + (one ? " needs " : " need ")
                : "with " + asked + ", what runs there needs ";
        return certificate.model() + ": " + needs + certificate.needed()
                + (certificate.needed() == 1 ? " GPU" : " GPUs")
                + (empty && !one ? " however they are arranged" : " however it is arranged") + ", and there "
                + (certificate.devices() == 1 ? "is 1" : "are " + certificate.devices()) + " (counted: " + counted
                + ")";
    }
}
