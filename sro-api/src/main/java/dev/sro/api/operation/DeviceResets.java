package dev.sro.api.operation;

import dev.sro.api.Checks;
import dev.sro.api.Experimental;
import dev.sro.api.Reach;
import java.util.List;
import java.util.Set;

/**
 * How a program on the nodes says that devices of its node need a reset, and how SRO orders one: in the course of an upgrade, on a node
 * that is cordoned and whose users have gone. Values of all three annotations are names of devices with commas between, as the program
 * chooses them. Immutable.
 *
 * <p>While devices are reset, what builds upon the driver leaves the node as it does while the driver is replaced, but for the state that
 * does the reset. That one has to be {@link Reach#ownBarrier()}, as the labels by which others wait are gone for this time.
 *
 * @param needed annotation of a node that the program writes: devices that need a reset, named until they had it
 * @param order annotation of a node that SRO writes: devices that are to be reset now
 * @param failed annotation of a node that the program writes: devices whose reset failed. They are not ordered again until the program,
 *     or a person, takes that away
 * @param by id of the state whose pods do it; they stay on the node
 * @since 0.1.0
 */
@Experimental("whether devices need resets for more than that is not settled")
public record DeviceResets(String needed, String order, String failed, String by) {

    private static final String WORD = "reset";

    /** Checks. */
    public DeviceResets {
        annotation("DeviceResets.needed", needed);
        annotation("DeviceResets.order", order);
        annotation("DeviceResets.failed", failed);
        Checks.require(
                Set.copyOf(List.of(needed, order, failed)).size() == 3,
                "DeviceResets.order",
                "needed, order and failed must be three annotations");
        Checks.notBlank("DeviceResets.by", by);
    }

    /** Most annotations of nodes are not kept: those with this word in their name are. */
    private static void annotation(String field, String key) {
        Checks.ownedName(field, key);
        Checks.require(
                key.substring(key.indexOf('/') + 1).contains(WORD),
                field,
                "\"" + key + "\" must have \"" + WORD + "\" in its name behind the slash");
    }
}
