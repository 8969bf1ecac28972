package dev.sro.runtime.dev;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.plan.Document;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimNodes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes of the cluster. Stateless. */
final class DevNodes {

    private static final int SAMPLES = 2;

    private DevNodes() {}

    /**
     * Adds the nodes of the file, or some that the special resources select.
     *
     * @return how many
     * @throws UnusableInputException if there is something else in the file, or none
     */
    static int add(SimNodes nodes, Optional<Path> file, List<Document> objects) {
        return file.map(of -> addAll(nodes, of)).orElseGet(() -> addSamples(nodes, objects));
    }

    private static int addAll(SimNodes nodes, Path file) {
        ObjectMapper json = new ObjectMapper();
        List<Document> documents = Document.read(file);
        if (documents.isEmpty()) {
            throw new UnusableInputException("--nodes " + file, "there is no node in the file");
        }
        for (Document document : documents) {
            if (!document.kindKey().equals("v1/Node")) {
                throw new UnusableInputException(
                        document.where(),
                        "kind is " + document.kind() + "; only nodes belong here (kubectl get nodes -o yaml)");
            }
            ObjectNode node = json.valueToTree(document.tree());
            try {
                nodes.add(node);
            } catch (ApiException e) {
                throw new UnusableInputException(document.where(), String.valueOf(e.getMessage()));
            }
        }
        return documents.size();
    }

    private static int addSamples(SimNodes nodes, List<Document> objects) {
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9);
        for (Document object : objects) {
            if (DevObjects.isSpecialResource(object)) {
                Map<String, Object> selector = ValueTrees.map(object.tree(), "spec", "nodeSelector");
                for (Map.Entry<String, Object> label : selector.entrySet()) {
                    profile = profile.withLabel(label.getKey(), String.valueOf(label.getValue()));
                }
            }
        }
        nodes.createMany("node-", SAMPLES, profile);
        return SAMPLES;
    }
}
