package dev.sro.core.engine.relation;

import java.util.Map;

/** The labels of nodes that the gates of one special resource came to last, so that what did not change stays the same object. */
public final class GateLabelMemo {

    private Map<String, Map<String, String>> labels = Map.of();

    Map<String, String> same(String node, Map<String, String> wanted) {
        Map<String, String> known = labels.get(node);
        return known != null && known.equals(wanted) ? known : wanted;
    }

    void keep(Map<String, Map<String, String>> byNode) {
        labels = byNode;
    }
}
