package dev.sro.core.recipe;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what plugins throw, and where they hang, into the log, with the stack, for their vendors. A call is tried again and again, so
 * each cause is written once. Thread-safe.
 */
final class PluginFailures {

    private static final Logger LOG = LoggerFactory.getLogger(PluginFailures.class);

    /** What is forgotten is written again. */
    private static final int REMEMBERED = 200;

    /** So many calls tell one cause from another. */
    private static final int FRAMES = 5;

    private final BiConsumer<String, Throwable> log;
    private final Map<String, Boolean> written = new LinkedHashMap<>();

    PluginFailures() {
        this((text, thrown) -> LOG.atWarn().setCause(thrown).log(text));
    }

    PluginFailures(BiConsumer<String, Throwable> log) {
        this.log = log;
    }

    /** A call threw. */
    void threw(String plugin, ClassLoader loader, String what, @Nullable Throwable thrown) {
        if (thrown != null && isNew(plugin, loader, what + thrown.getClass().getName(), thrown.getStackTrace())) {
            log.accept("plugin " + plugin + " failed in " + what, thrown);
        }
    }

    /**
     * A call did not return in time.
     *
     * @param at what its thread does
     */
    void hangs(String plugin, ClassLoader loader, String what, StackTraceElement[] at) {
        if (isNew(plugin, loader, what, at)) {
            TimeoutException where = new TimeoutException("it hangs here");
            where.setStackTrace(at);
            log.accept("plugin " + plugin + " did not return from " + what + " in time", where);
        }
    }

    /** A plugin that was replaced has another class loader, and is a new one. */
    private boolean isNew(String plugin, ClassLoader loader, String what, StackTraceElement[] stack) {
        String place = Arrays.stream(stack)
                .takeWhile(frame -> !frame.getClassName().equals(DirectGuard.class.getName()))
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" "));
        String cause = String.join(" ", plugin, String.valueOf(System.identityHashCode(loader)), what, place);
        synchronized (written) {
            if (written.put(cause, true) != null) {
                return false;
            }
            if (written.size() > REMEMBERED) {
                written.remove(written.keySet().iterator().next());
            }
            return true;
        }
    }
}
