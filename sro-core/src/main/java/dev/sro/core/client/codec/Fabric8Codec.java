package dev.sro.core.client.codec;

import dev.sro.core.model.Codec;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;

/** Trees by the serialization of fabric8's client. Thread-safe. */
public final class Fabric8Codec implements Codec {

    private final KubernetesSerialization serialization;

    /** Uses this serialization, usually the client's own. */
    public Fabric8Codec(KubernetesSerialization serialization) {
        this.serialization = serialization;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Object> toTree(Object typed) {
        return ValueTrees.copy((Map<String, Object>) serialization.convertValue(typed, Map.class));
    }

    @Override
    public <T> T fromTree(Map<String, ?> tree, Class<T> type) {
        try {
            return serialization.convertValue(tree, type);
        } catch (IllegalArgumentException e) {
            throw Mismatches.in(e, tree)
                    .<IllegalArgumentException>map(wrong -> wrong)
                    .orElse(e);
        }
    }
}
