package dev.sro.core.plugin;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutionException;

/** Small things about reflection. Stateless. */
final class Reflective {

    private Reflective() {}

    /** What the called code threw, without the wrappers of reflection and futures. */
    static Throwable unwrap(Throwable error) {
        Throwable current = error;
        while (current instanceof InvocationTargetException || current instanceof ExecutionException) {
            Throwable cause = current.getCause();
            if (cause == null) {
                return current;
            }
            current = cause;
        }
        return current;
    }
}
