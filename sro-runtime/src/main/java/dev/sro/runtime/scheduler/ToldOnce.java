package dev.sro.runtime.scheduler;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What is said about something once, and again when it is something else. Thread-safe. */
public final class ToldOnce {
    private final Map<String, String> told = new ConcurrentHashMap<>();
    private final Consumer<String> log;

    /** @param log where it is said */
    public ToldOnce(Consumer<String> log) {
        this.log = log;
    }

    /** @param what empty for nothing, which is not said */
    public void tell(String about, String what) {
        if (what.isEmpty()) {
            told.remove(about);
        } else if (!what.equals(told.put(about, what))) {
            log.accept(what);
        }
    }
}
