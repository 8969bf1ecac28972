package dev.sro.core.claim;

import dev.sro.core.dra.CertificateChecker;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Proofs that no arrangement leaves room, in words. Stateless. */
final class InfeasibilityProofs {
    private InfeasibilityProofs() {}

    /** Of a request that was refused: for each model that offers a profile a certificate that was verified; else its explanation. */
    static void add(
            SliceAllocator allocator,
            List<String> wanted,
            Decision.Refused refused,
            List<String> details,
            List<InfeasibilityCertificate> certificates) {
        Set<DeviceModel> models = new LinkedHashSet<>();
        allocator.devices().forEach(device -> models.add(device.model()));
        for (DeviceModel model : models) {
            List<List<String>> running = running(allocator, model);
            Map<String, Long> counts = new TreeMap<>();
            running.forEach(device -> device.forEach(profile -> counts.merge(profile, 1L, Long::sum)));
            for (String profile : names(wanted, model)) {
                InfeasibilityCertificate.of(Feasibility.of(Geometry.of(model)), counts, profile, running.size())
                        .filter(certificate -> CertificateChecker.check(certificate, model, running)
                                .isEmpty())
                        .ifPresent(certificate -> {
                            certificates.add(certificate);
                            details.add(text(certificate));
                        });
            }
        }
        if (certificates.isEmpty()) {
            details.add(refused.explanation());
        }
    }

    private static List<String> names(List<String> wanted, DeviceModel model) {
        return wanted.stream()
                .flatMap(name -> model.profile(name).stream())
                .map(profile -> profile.name())
                .distinct()
                .toList();
    }

    private static String text(InfeasibilityCertificate certificate) {
        String counted = certificate.parts().stream()
                .map(InfeasibilityCertificate.Part::meaning)
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
        return certificate.model() + ": with one more " + certificate.wanted() + ", what runs there needs "
                + certificate.needed() + (certificate.needed() == 1 ? " GPU" : " GPUs")
                + " however it is arranged, and there "
                + (certificate.devices() == 1 ? "is 1" : "are " + certificate.devices()) + " (counted: " + counted
                + ")";
    }

    private static List<List<String>> running(SliceAllocator allocator, DeviceModel model) {
        Map<String, List<String>> running = new TreeMap<>();
        for (SliceDevice device : allocator.devices()) {
            if (device.model().equals(model)) {
                running.put(device.id(), new ArrayList<>());
            }
        }
        for (SliceClaim claim : allocator.claims()) {
            List<String> device = running.get(claim.device());
            if (device != null) {
                device.add(claim.profile());
            }
        }
        return List.copyOf(running.values());
    }
}
