package dev.sro.core.engine.background;

import dev.sro.core.engine.port.LogReader;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * How logs are read.
 *
 * @param reader reads one
 * @param executor runs the reads, which block
 * @param changed called with the name of a special resource when some of its logs were read
 * @param clock the time
 */
public record LogAccess(LogReader reader, Executor executor, Consumer<String> changed, Clock clock) {}
