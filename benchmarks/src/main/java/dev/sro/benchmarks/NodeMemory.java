package dev.sro.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the embedded cluster needs for a node of 40 labels beyond the object itself, whose owned fields were looked at: the
 * heap in use before and after, less that of equal JSON trees. Prints one line.
 */
public final class NodeMemory {

    private static final int NODES = 5_000;
    private static final int LABELS = 40;

    private NodeMemory() {}

    /** Measures once. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ObjectMapper mapper = new ObjectMapper();
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            cluster.api().create(Gvr.NODES, node(mapper, NODES));
            long empty = used();
            for (int i = 0; i < NODES; i++) {
                cluster.api().create(Gvr.NODES, node(mapper, i));
            }
            // Who owns what is worked out when somebody looks.
            cluster.client().nodes().list();
            long full = used();
            List<JsonNode> alone = new ArrayList<>();
            for (ObjectNode object : cluster.api().list(Gvr.NODES)) {
                alone.add(mapper.readTree(mapper.writeValueAsBytes(object)));
            }
            long copies = used() - full;
            long beyond = (full - empty - copies) / NODES;
            System.out.println("bytes per node: " + copies / alone.size() + " the object, " + beyond + " beyond it");
        }
    }

    /** Read from JSON like every object that comes from a client: the reader keeps one copy of each field name. */
    private static ObjectNode node(ObjectMapper mapper, int number) throws IOException {
        ObjectNode node = mapper.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
        ObjectNode metadata = node.putObject("metadata").put("name", "node-" + number);
        ObjectNode labels = metadata.putObject("labels");
        for (int i = 0; i < LABELS; i++) {
            labels.put("feature.node.kubernetes.io/feature-" + i, "value-" + i + "-" + number % 7);
        }
        return (ObjectNode) mapper.readTree(mapper.writeValueAsBytes(node));
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(100);
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
