package dev.sro.api;

/** Holds the shared {@link Outcome.Ready} value, which an interface could only hold publicly. */
final class ReadyHolder {
    static final Outcome READY = new Outcome.Ready();

    private ReadyHolder() {}
}
