package dev.sro.core.client;

import dev.sro.core.client.cache.NamedCache;
import dev.sro.core.client.writer.WriteConditions;
import dev.sro.core.model.LabelSelector;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BooleanSupplier;

/**
 * What an operator looks after of all that there is, by whose name it writes, and as long as when: what makes room for another one on
 * the same cluster. Immutable; thread-safe if {@code mayWrite} is.
 *
 * @param selector of special resources, preflights and modules, by their labels
 * @param fieldManager of its writes
 * @param mayWrite asked before each write; false when another replica may lead by now
 */
public record OperatorScope(LabelSelector selector, String fieldManager, BooleanSupplier mayWrite) {

    /** Everything, by SRO's own name, always. */
    public static final OperatorScope ALL =
            new OperatorScope(LabelSelector.parse("selector", ""), MetadataKeys.FIELD_MANAGER, () -> true);

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if no API server takes it, or SRO uses it for something else
     */
    public OperatorScope {
        new WriteConditions(fieldManager, mayWrite);
    }

    /** Whether it is looked after here. */
    public boolean serves(HasMetadata object) {
        return selector.matches(NamedCache.labels(object));
    }

    WriteConditions terms() {
        return new WriteConditions(fieldManager, mayWrite);
    }
}
