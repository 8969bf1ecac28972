package dev.sro.agent.publish;

import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.node.NodeFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What else is known of GPUs when they are published, and what is done to them when that is done. Called by one thread at a time. */
public interface GpuCare {
    /** GPUs about which nothing is known, and to which nothing is done. */
    GpuCare NONE = new GpuCare() {
        @Override
        public Map<String, String> faults(PciAddress gpu) {
            return Map.of();
        }

        @Override
        public Map<PciAddress, String> elsewhere() {
            return Map.of();
        }

        @Override
        public boolean closedLong(PciAddress gpu, Instant now) {
            return false;
        }

        @Override
        public Optional<Instant> published(Instant now, Published state) {
            return Optional.empty();
        }
    };

    /** What ails a GPU, by code. */
    Map<String, String> faults(PciAddress gpu);

    /** GPUs that pods have in another way than by claims, and how: nothing of them is offered. */
    Map<PciAddress, String> elsewhere();

    /** Whether a GPU has been published as closed for so long that it may be listed as something else. */
    boolean closedLong(PciAddress gpu, Instant now);

    /**
     * What is published now.
     *
     * @param gpus as they were read for it
     * @param facts what the Node says
     * @param listed GPUs of which any device is listed
     * @param had GPUs of which claims have devices
     * @param closing GPUs that are listed, closed, and to be listed as something else
     * @param free what can be had
     */
    record Published(
            List<Gpu> gpus,
            NodeFacts facts,
            Set<PciAddress> listed,
            Set<PciAddress> had,
            Set<PciAddress> closing,
            FreePlaces free) {
        /** Copies the collections. */
        public Published {
            gpus = List.copyOf(gpus);
            listed = Set.copyOf(listed);
            had = Set.copyOf(had);
            closing = Set.copyOf(closing);
        }
    }

    /**
     * The API server has this now.
     *
     * @return when to publish again, if nothing else calls before
     */
    Optional<Instant> published(Instant now, Published state);
}
