package dev.sro.runtime.allocator;

import dev.sro.core.allocation.ClaimDemand;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Comparator;
import java.util.List;

/**
 * Pods that get their devices together or not at all: those of a gang, or one pod. Immutable.
 *
 * @param name of the gang with its namespace, or UID of the pod
 * @param members in the order in which they came; one at least
 * @param fault why nothing can be given; empty if something can
 */
record WaitingUnit(String name, List<Member> members, String fault) {
    /**
     * A pod with claims of ours.
     *
     * @param open claims that have nothing yet, with what they ask for
     * @param had those that have their devices
     * @param fault why it cannot be served, or what is waited for; empty if it can be
     */
    record Member(Pod pod, List<Open> open, List<ResourceClaim> had, String fault) {
        Member {
            open = List.copyOf(open);
            had = List.copyOf(had);
        }

        String uid() {
            return pod.getMetadata().getUid();
        }

        boolean gated() {
            return AllocationMarks.gated(pod);
        }

        /** Whether there is nothing to be done for it. */
        boolean settled() {
            return open.isEmpty() && fault.isEmpty() && !gated();
        }

        /** What it has while its gate is shut: what may be given back. */
        List<ResourceClaim> returnable() {
            return !gated() || !AllocationMarks.node(pod).isEmpty()
                    ? List.of()
                    : had.stream()
                            .filter(claim -> AllocationMarks.consumers(claim).size() <= 1
                                    && AllocationMarks.annotation(claim, AllocationMarks.NODE)
                                            .isPresent())
                            .toList();
        }

        private int priority() {
            Integer priority = pod.getSpec().getPriority();
            return priority == null ? 0 : priority;
        }

        private String created() {
            String created = pod.getMetadata().getCreationTimestamp();
            return created == null ? "" : created;
        }
    }

    /** A claim that waits. */
    record Open(ResourceClaim claim, ClaimDemand demand) {}

    /** Highest priority first, then those that wait longest. */
    static final Comparator<Member> ORDER = Comparator.comparingInt((Member member) -> -member.priority())
            .thenComparing(Member::created)
            .thenComparing(member -> ObjectBook.key(member.pod()));

    WaitingUnit {
        members = List.copyOf(members);
    }

    /** The first of its pods for which there is something to be done. */
    Member firstWaiting() {
        return members.stream().filter(member -> !member.settled()).findFirst().orElse(members.get(0));
    }

    /** Whether some of it is let through already, so that the rest has to follow. */
    boolean begun() {
        return members.stream()
                .anyMatch(member -> !member.gated() && member.open().isEmpty());
    }
}
