package dev.sro.core.driver;

import dev.sro.api.driver.LoadPlan;
import java.util.List;
import java.util.Optional;

/**
 * All that is known of the driver of one pool. Immutable; equal values mean that nothing is to be rendered anew.
 *
 * @param choice the image
 * @param record what objects that are made with the image are marked with; empty where there is no image
 * @param pullSecrets names of Secrets in the operand namespace, to pull it with
 * @param build what SRO builds or signs; empty for nothing
 * @param load what is loaded and by whom; empty when the recipe does that by itself
 * @param known false when what is asked for makes no sense: then build and load are empty because they are not known
 */
public record PoolDriver(
        ImageChoice choice,
        String record,
        List<String> pullSecrets,
        Optional<BuildRequest> build,
        Optional<LoadPlan> load,
        boolean known) {

    /** A pool of which nothing is said. */
    public static final PoolDriver NONE =
            new PoolDriver(new ImageChoice.None(), "", List.of(), Optional.empty(), Optional.empty(), true);

    /** Copies the list. */
    public PoolDriver {
        pullSecrets = List.copyOf(pullSecrets);
    }
}
