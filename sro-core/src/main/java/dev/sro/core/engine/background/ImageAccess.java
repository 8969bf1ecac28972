package dev.sro.core.engine.background;

import dev.sro.core.driver.DriverState;
import dev.sro.core.engine.port.ImageLooks;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * How images of drivers are looked for, and what SRO makes of drivers.
 *
 * @param looks looks for one
 * @param executor runs the looks, which block
 * @param changed called with the name of a special resource when some of its images were looked for
 * @param clock the time
 * @param states that SRO makes itself
 */
public record ImageAccess(
        ImageLooks looks, Executor executor, Consumer<String> changed, Clock clock, List<DriverState> states) {}
