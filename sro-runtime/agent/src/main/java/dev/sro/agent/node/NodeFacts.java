package dev.sro.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.core.dra.NodeMarks;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the Node says that matters here. Immutable.
 *
 * @param uid of the Node; empty if it cannot be read
 * @param labels those of {@link NodeMarks}
 * @param annotations likewise
 */
public record NodeFacts(Optional<String> uid, Map<String, String> labels, Map<String, String> annotations) {
    /** Of a Node that cannot be read. */
    public static final NodeFacts UNKNOWN = new NodeFacts(Optional.empty(), Map.of(), Map.of());

    private static final String DOMAIN = "slices.sro.dev/";

    /** Copies the maps. */
    public NodeFacts {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }

    /** Of a Node as the API has it. */
    static NodeFacts of(JsonNode node) {
        JsonNode metadata = node.path("metadata");
        return new NodeFacts(
                Optional.of(metadata.path("uid").asText()).filter(uid -> !uid.isEmpty()),
                ours(metadata.path("labels")),
                ours(metadata.path("annotations")));
    }

    private static Map<String, String> ours(JsonNode marks) {
        Map<String, String> ours = new TreeMap<>();
        marks.properties().forEach(mark -> {
            if (mark.getKey().startsWith(DOMAIN) || mark.getKey().startsWith(NodeMarks.CORDON)) {
                ours.put(mark.getKey(), mark.getValue().asText());
            }
        });
        return ours;
    }

    /** What the GPUs are to be used as; empty if nobody says, or nothing that is known. */
    public Optional<NodeMarks.Mode> mode() {
        return Optional.ofNullable(labels.get(NodeMarks.MODE)).flatMap(NodeMarks.Mode::of);
    }

    /** How slices are to be offered; empty if nobody says, or nothing that is known. */
    public Optional<NodeMarks.Offer> offer() {
        return Optional.ofNullable(labels.get(NodeMarks.OFFER)).flatMap(NodeMarks.Offer::of);
    }

    /** What a GPU is to become; empty if it may stay as it is. A GPU out of service stays. */
    public Optional<GpuMode> change(Gpu gpu) {
        Optional<NodeMarks.Mode> mode = mode();
        boolean slices = mode.equals(Optional.of(NodeMarks.Mode.SLICES));
        boolean whole = mode.equals(Optional.of(NodeMarks.Mode.WHOLE));
        if (cordoned(gpu).isPresent() || (!slices && !whole)) {
            return Optional.empty();
        }
        GpuMode wanted = slices ? GpuMode.SLICES : GpuMode.WHOLE;
        boolean able = gpu.mode() == GpuMode.SLICES || gpu.mode() == GpuMode.WHOLE || gpu.mode() == GpuMode.PENDING;
        return able && gpu.mode() != wanted ? Optional.of(wanted) : Optional.empty();
    }

    /** Why a GPU is out of service; empty if it is not. */
    public Optional<String> cordoned(Gpu gpu) {
        return NodeMarks.cordoned(annotations, gpu.uuid(), gpu.address().toString());
    }

    /** GPUs that an annotation names; what is no address is passed over. */
    public Set<PciAddress> gpus(String annotation) {
        Set<PciAddress> gpus = new TreeSet<>();
        for (String text : annotations.getOrDefault(annotation, "").split(",")) {
            PciAddress.read(text.strip()).ifPresent(gpus::add);
        }
        return gpus;
    }
}
