package dev.sro.core.driver;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.core.model.KubeObject;
import java.util.List;
import java.util.Optional;

/**
 * A state that SRO makes itself, in front of those of the recipe: the build of the driver's image, the loading of its modules. Its
 * objects go the way of all others: hooks, comparison, apply, pruning, readiness. Implementations are pure and stateless.
 */
public interface DriverState {

    /** The {@link #name} of the state that builds and signs. Changes of its objects are a reason to look for the image again. */
    String BUILD = "driver-build";

    /** Whether the id is that of a state that builds and signs. */
    static boolean isBuild(String stateId) {
        return stateId.endsWith("-" + BUILD);
    }

    /** The name behind the four digits of the state's id, which are given: {@code driver-build}. A DNS label. */
    String name();

    /** Whether the state is reached node by node, by DaemonSets. */
    boolean perNode();

    /**
     * Whether the recipe's own states come after this one. A build does not hold them up: a pool without an image waits for that,
     * and one with an image goes on with it.
     */
    boolean comesFirst();

    /** Whether it comes after those of SRO's own states that come first. */
    default boolean comesAfterOthers() {
        return false;
    }

    /** Whether any pool has this state, or may have it for all that is known. */
    default boolean isIn(Drivers drivers) {
        return drivers.byPool().values().stream().anyMatch(driver -> !driver.known() || isFor(driver));
    }

    /** Whether the pool has this state at all. */
    boolean isFor(PoolDriver driver);

    /** Whether nothing can be made of it without an image; the pool then waits as {@link ImageChoice#obstacle()} says. */
    boolean needsImage(PoolDriver driver);

    /**
     * Why it is not known what the pool shall have; empty when it is. What exists is then left alone, and {@link #objects} is not
     * called.
     *
     * @param pool with or without its nodes
     */
    default Optional<Outcome> obstacle(Pool pool, PoolDriver driver) {
        return Optional.empty();
    }

    /**
     * Objects of all pools together, whatever is known of any of them, and whether or not there is an {@link #obstacle}; otherwise as
     * {@link #objects}.
     */
    default List<KubeObject> common(RecipeContext context, String namespace) {
        return List.of();
    }

    /**
     * The objects of a pool, as a recipe would have them: without namespace, labels and owner of SRO's, and with the annotation
     * {@link dev.sro.core.model.MetadataKeys#KERNEL_AFFINE} on those that there is one of for each pool. Called only where {@link #isFor}
     * says so, and with an image where one is needed.
     *
     * @param context the special resource and the cluster
     * @param namespace of the operands
     * @param pool without its nodes
     */
    List<KubeObject> objects(RecipeContext context, String namespace, Pool pool, PoolDriver driver);
}
