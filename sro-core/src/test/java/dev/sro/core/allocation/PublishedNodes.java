package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Ask;
import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraGpu;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.dra.DraServer;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Nodes of A100-40GB as agents of the authoritative mode publish them, and what pods ask them for. Stateless. */
final class PublishedNodes {
    static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    static final DraOptions OPTIONS = DraOptions.builder()
            .server(new DraServer(36, 3))
            .authoritative(true)
            .build();
    static final DraPublisher PUBLISHER = DraPublisher.of(OPTIONS);
    private static final Map<String, DeviceClass> CLASSES = classes();

    /** Whatever is asked for. */
    static final AllocationSearch.Room ENDLESS = new AllocationSearch.Room() {
        @Override
        public boolean take(String pod, String node) {
            return true;
        }

        @Override
        public void giveBack(String pod, String node) {}

        @Override
        public Object left(String node) {
            return "";
        }
    };

    private PublishedNodes() {}

    private static Map<String, DeviceClass> classes() {
        Map<String, DeviceClass> classes = new HashMap<>();
        DraClasses.create(List.of(A100), OPTIONS, false)
                .forEach(each -> classes.put(each.getMetadata().getName(), each));
        return classes;
    }

    static DraGpu gpu(int number, String... faults) {
        DraGpu.Builder gpu = DraGpu.builder()
                .pciAddress("0000:0" + number + ":00.0")
                .uuid("GPU-" + number)
                .model(A100);
        for (String fault : faults) {
            gpu.putFaults(fault, "it is ill");
        }
        return gpu.build();
    }

    static List<ResourceSlice> slices(String node, DraGpu... gpus) {
        return PUBLISHER
                .publish(DraNode.builder().name(node).addGpus(gpus).build(), Set.of(), List.of())
                .slices();
    }

    static AllocationFleet fleet(String node, DraGpu... gpus) {
        AllocationFleet fleet = new AllocationFleet(OPTIONS.driver(), Catalogue.builtin());
        String problem = fleet.pool(PUBLISHER.pool(node), slices(node, gpus));
        if (!problem.isEmpty()) {
            throw new IllegalStateException(problem);
        }
        return fleet;
    }

    /** With so many GPUs that are well. */
    static AllocationFleet fleet(String node, int gpus) {
        DraGpu[] all = new DraGpu[gpus];
        for (int i = 0; i < gpus; i++) {
            all[i] = gpu(i);
        }
        return fleet(node, all);
    }

    static ClaimDemand wants(String uid, String profile) {
        return wants(uid, profile, 1);
    }

    static ClaimDemand wants(String uid, String profile, int count) {
        String name = DraClasses.name(profile, OPTIONS);
        List<String> selectors = Objects.requireNonNull(CLASSES.get(name)).getSpec().getSelectors().stream()
                .map(selector -> selector.getCel().getExpression())
                .toList();
        return new ClaimDemand(
                uid,
                "ns/" + uid,
                List.of(new Ask("r", List.of(new Choice("r", name, selectors, count, List.of())))),
                List.of(),
                List.of());
    }

    static PodDemand pod(String uid, List<String> nodes, ClaimDemand... claims) {
        return pod(uid, Spread.ANYWHERE, nodes, claims);
    }

    static PodDemand pod(String uid, Spread spread, List<String> nodes, ClaimDemand... claims) {
        return new PodDemand(uid, "ns/" + uid, List.of(claims), List.of(), spread, nodes);
    }
}
