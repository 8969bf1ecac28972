package dev.sro.core.recipe;

import dev.sro.api.Pool;

/**
 * What stands for the image of a pool's driver while manifests are rendered. It looks like an image, so that templates can treat it
 * as one, and no registry can have it (RFC 2606 reserves the domain). The image itself comes last: a chart need not be rendered
 * anew for another one, and it is known which objects have it. Stateless.
 */
public final class DriverImageToken {

    /** How all tokens begin. */
    public static final String PREFIX = "driver-image.sro.invalid/";

    /** How all tokens end. */
    public static final String SUFFIX = ":unresolved";

    private DriverImageToken() {}

    /** The token of a pool. */
    public static String compute(Pool pool) {
        return PREFIX + pool.name() + SUFFIX;
    }
}
