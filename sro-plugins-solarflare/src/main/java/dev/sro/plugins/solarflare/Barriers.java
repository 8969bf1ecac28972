package dev.sro.plugins.solarflare;

import dev.sro.api.BarrierWait;
import dev.sro.api.NodeBarrier;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import java.util.List;

/**
 * The barriers on a node: {@code modules}, which whoever loads the modules leaves there, and {@code files}, left by the pod that places
 * the user-space files. Both say which driver they are of, so that files never go ahead of their modules, and nobody starts while the
 * two do not belong together. Pods order themselves by them on a new node and after a boot, without SRO. Stateless.
 */
final class Barriers {

    /** Has a shell; for those whose files are in the images of the modules, of which there is one for each kernel. */
    private static final String WAIT_IMAGE = "docker.io/library/busybox:1.37.0";

    private Barriers() {}

    /** Of the modules, whichever they are. */
    static NodeBarrier modules(RecipeContext context) {
        return NodeBarrier.of(context.name(), "modules");
    }

    /** Of the user-space files. */
    static NodeBarrier files(RecipeContext context) {
        return NodeBarrier.of(context.name(), "files");
    }

    /** Of exactly the modules that a pool is to have. */
    static NodeBarrier modules(RecipeContext context, OnloadConfig config, Pool pool) {
        return modules(context).saying(OnloadDriver.identity(config, pool));
    }

    private static String image(OnloadConfig config) {
        return config.waitImage().or(config::userImage).orElse(WAIT_IMAGE);
    }

    /** In pods that place the files of a pool: for its own modules, not for those of the version before. */
    static BarrierWait forOwnModules(RecipeContext context, OnloadConfig config, Pool pool) {
        return BarrierWait.of("wait-for-modules", image(config), modules(context, config, pool));
    }

    /** In pods that need all of the driver, whatever its version. */
    private static BarrierWait forDriver(RecipeContext context, OnloadConfig config) {
        NodeBarrier modules = modules(context);
        BarrierWait wait = BarrierWait.of("wait-for-driver", image(config), modules);
        if (config.userImage().isEmpty()) {
            return wait;
        }
        NodeBarrier files = files(context);
        return new BarrierWait(
                wait.name(),
                wait.image(),
                files.isOpenFor(modules),
                files.file() + " of the " + modules.file(),
                wait.directory(),
                wait.volume(),
                wait.environment());
    }

    /** A state whose pods wait for the driver on their node, and leave it before the driver does. */
    static State.Builder behindDriver(RecipeContext context, OnloadConfig config, String id) {
        BarrierWait wait = forDriver(context, config);
        return own(id).putVariables("waits", List.of(wait.container())).putVariables("barriers", wait.hostPath());
    }

    /** A state with barriers of its own. */
    static State.Builder own(String id) {
        return State.builder().id(id).reach(Reach.ownBarrier().leavingWithDriver());
    }
}
