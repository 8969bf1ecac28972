package dev.sro.runtime.allocator;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.allocation.ClaimDemands;
import dev.sro.core.allocation.ClaimDemands.Reading;
import dev.sro.core.placement.PodSlices;
import dev.sro.runtime.allocator.WaitingUnit.Member;
import dev.sro.runtime.allocator.WaitingUnit.Open;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the pods that wait for devices of ours, and which of them belong together. For one look. */
final class UnitReader {
    private static final int MOST = 256;

    private final ObjectBook<ResourceClaim> claims;
    private final ClaimDemands demands;
    private final String driver;
    private final List<Member> settled = new ArrayList<>();

    UnitReader(ObjectBook<ResourceClaim> claims, ClaimDemands demands, String driver) {
        this.claims = claims;
        this.demands = demands;
        this.driver = driver;
    }

    /** Pods that have all that they wait for, for a scheduler to bind; known once the units were read. */
    List<Member> settled() {
        return settled;
    }

    /** Those that wait, in the order in which they are served. */
    List<WaitingUnit> units(List<Pod> pods) {
        Map<String, List<Member>> gangs = new LinkedHashMap<>();
        List<Member> members = new ArrayList<>();
        for (Pod pod : pods) {
            if (pod.getSpec().getResourceClaims().isEmpty() || AllocationMarks.done(pod)) {
                continue;
            }
            member(pod).ifPresent(members::add);
        }
        members.sort(WaitingUnit.ORDER);
        for (Member member : members) {
            String gang = AllocationMarks.annotation(member.pod(), AllocationMarks.GANG)
                    .map(name -> member.pod().getMetadata().getNamespace() + "/" + name)
                    .orElse(member.uid());
            gangs.computeIfAbsent(gang, name -> new ArrayList<>()).add(member);
        }
        List<WaitingUnit> units = new ArrayList<>();
        gangs.forEach((name, own) -> {
            own.stream()
                    .filter(member -> member.settled()
                            && AllocationMarks.node(member.pod()).isEmpty())
                    .forEach(settled::add);
            if (!own.stream().allMatch(Member::settled)) {
                units.add(new WaitingUnit(name, own, fault(name, own)));
            }
        });
        return units;
    }

    private static String fault(String name, List<Member> members) {
        Optional<String> own = members.stream()
                .map(Member::fault)
                .filter(text -> !text.isEmpty())
                .findFirst();
        return own.orElseGet(() -> members.stream()
                        .anyMatch(member -> AllocationMarks.annotation(member.pod(), AllocationMarks.GANG)
                                .isPresent())
                ? gang(name, members)
                : "");
    }

    private static String gang(String name, List<Member> members) {
        Pod first = members.get(0).pod();
        String text =
                AllocationMarks.annotation(first, AllocationMarks.GANG_SIZE).orElse("");
        Optional<Pod> other = members.stream()
                .map(Member::pod)
                .filter(pod -> !AllocationMarks.annotation(pod, AllocationMarks.GANG_SIZE)
                        .orElse("")
                        .equals(text))
                .findFirst();
        String at = "]: of gang " + name + " ";
        if (other.isPresent()) {
            return "pod " + ObjectBook.key(other.get()) + ": metadata.annotations[" + AllocationMarks.GANG_SIZE + at
                    + "differs from that of pod " + ObjectBook.key(first) + ": write the same in all its pods";
        }
        if (!text.matches("[1-9][0-9]{0,2}") || Integer.parseInt(text) > MOST) {
            return "pod " + ObjectBook.key(first) + ": metadata.annotations[" + AllocationMarks.GANG_SIZE + at + "is \""
                    + text + "\": write how many pods it has, 1 to " + MOST;
        }
        int missing = Integer.parseInt(text) - members.size();
        return missing > 0
                ? "gang " + name + " waits for " + missing + " more of its " + text + " pods (annotation "
                        + AllocationMarks.GANG_SIZE + ")"
                : "";
    }

    /** Empty for a pod that has nothing to do with our devices. */
    private Optional<Member> member(Pod pod) {
        List<Open> open = new ArrayList<>();
        List<ResourceClaim> had = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        boolean ours = false;
        for (PodResourceClaim entry : pod.getSpec().getResourceClaims()) {
            String name = name(pod, entry);
            ResourceClaim claim =
                    name.isEmpty() ? null : claims.get(pod.getMetadata().getNamespace(), name);
            if (claim == null || claim.getMetadata().getDeletionTimestamp() != null) {
                faults.add(missing(pod, entry, name, claim != null));
                continue;
            }
            Reading reading = reading(pod, entry, claim);
            if (reading instanceof Reading.Wrong wrong) {
                faults.add(wrong.fault());
                ours = true;
            } else if (reading instanceof Reading.Ours found) {
                ours = true;
                if (Allocations.allocated(claim)) {
                    had.add(claim);
                } else {
                    open.add(new Open(claim, found.demand()));
                }
            }
        }
        if (!ours && !AllocationMarks.gated(pod)) {
            return Optional.empty();
        }
        if (!ours && faults.isEmpty()) {
            faults.add("pod " + ObjectBook.key(pod) + ": spec.schedulingGates: waits at " + AllocationMarks.GATE
                    + ", and none of its claims asks for devices of " + driver + ": leave the gate out");
        }
        spread(pod, faults);
        if (AllocationMarks.otherGates(pod)) {
            faults.add("pod " + ObjectBook.key(pod) + ": spec.schedulingGates: waits at other gates, too");
        }
        return Optional.of(new Member(pod, open, had, faults.isEmpty() ? "" : faults.get(0)));
    }

    private Reading reading(Pod pod, PodResourceClaim entry, ResourceClaim claim) {
        Optional<String> other =
                Allocations.allocated(claim) ? Optional.empty() : LimitTemplates.fault(pod, entry, claim);
        return other.<Reading>map(Reading.Wrong::new).orElseGet(() -> demands.read(claim));
    }

    private static void spread(Pod pod, List<String> faults) {
        try {
            PodSlices.spread(pod);
        } catch (IllegalArgumentException e) {
            faults.add(String.valueOf(e.getMessage()));
        }
    }

    private static String missing(Pod pod, PodResourceClaim entry, String name, boolean ends) {
        String at = "pod " + ObjectBook.key(pod) + ": spec.resourceClaims[" + entry.getName() + "]: ";
        if (name.isEmpty()) {
            return at + "its claim is not made yet from ResourceClaimTemplate " + entry.getResourceClaimTemplateName();
        }
        return at + "ResourceClaim " + pod.getMetadata().getNamespace() + "/" + name
                + (ends ? " is being deleted: wait, or name another one" : " does not exist: create it");
    }

    /** The name of a claim; empty while there is none. */
    static String name(Pod pod, PodResourceClaim entry) {
        if (entry.getResourceClaimTemplateName() == null) {
            return entry.getResourceClaimName() == null ? "" : entry.getResourceClaimName();
        }
        return pod.getStatus() == null
                ? ""
                : pod.getStatus().getResourceClaimStatuses().stream()
                        .filter(status -> entry.getName().equals(status.getName()))
                        .map(PodResourceClaimStatus::getResourceClaimName)
                        .filter(found -> found != null && !found.isEmpty())
                        .findFirst()
                        .orElse("");
    }
}
