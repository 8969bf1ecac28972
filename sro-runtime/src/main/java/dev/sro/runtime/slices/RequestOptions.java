package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a request on the command line is narrowed to. */
final class RequestOptions {
    @Option(names = "--device", paramLabel = "NAME", description = "Only this device.")
    private @Nullable String device;

    @Option(names = "--node", paramLabel = "NAME", description = "Only devices of this node.")
    private @Nullable String node;

    @Option(names = "--model", paramLabel = "KEY", description = "Only devices of this model.")
    private @Nullable String model;

    @Option(names = "--group", paramLabel = "NAME", description = "Only devices of this topology group.")
    private @Nullable String group;

    @Option(names = "--label", paramLabel = "K=V", description = "Only devices with this label; repeatable.")
    private Map<String, String> labels = new LinkedHashMap<>();

    /** A request under a name that is not in use. */
    SliceRequest request(SliceAllocator fleet, String name, String profile) {
        return SliceRequest.builder()
                .claim(free(fleet, name))
                .profile(profile)
                .device(Optional.ofNullable(device))
                .node(Optional.ofNullable(node))
                .model(Optional.ofNullable(model))
                .topologyGroup(Optional.ofNullable(group))
                .labels(labels)
                .build();
    }

    private static String free(SliceAllocator fleet, String name) {
        String free = name;
        for (int i = 2; fleet.claim(free).isPresent(); i++) {
            free = name + "-" + i;
        }
        return free;
    }
}
