package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.Experimental;
import java.util.List;
import java.util.Map;

/**
 * A node whose devices are to be offered in another way than now: SRO lets go of the old way when no pod has a device by it, and begins
 * the new one when nothing on the node offers the old one any more, so that it is never offered in both. Immutable.
 *
 * @param from how pods got the devices of this node until now: those that have one in this way are waited for
 * @param operands labels of the pods of the special resource that offer, or cut, devices in the old way; one that has all labels of any
 *     of these is waited for before the new way begins
 * @param between labels of the node while neither is offered, instead of those that the plugin asks for otherwise
 * @param after labels of the node from then on
 * @since 0.1.0
 */
@Experimental("what else has to be seen before a node changes hands is not settled")
public record Handover(
        Exposure from, List<Map<String, String>> operands, Map<String, String> between, Map<String, String> after) {

    /** Copies and checks. */
    public Handover {
        operands = operands.stream().map(Map::copyOf).toList();
        between = Map.copyOf(between);
        after = Map.copyOf(after);
        operands.forEach(labels -> Checks.require(
                !labels.isEmpty(), "Handover.operands", "without labels it is every pod; name one at least"));
        check("Handover.between", between);
        check("Handover.after", after);
    }

    private static void check(String field, Map<String, String> labels) {
        labels.forEach((key, value) -> {
            Checks.qualifiedName(field, key);
            Checks.labelValue(field + "[" + key + "]", value);
        });
    }
}
