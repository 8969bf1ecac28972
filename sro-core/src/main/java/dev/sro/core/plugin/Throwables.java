package dev.sro.core.plugin;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Text about an exception. Text only: an object of a plugin's class would keep its class loader in memory. */
final class Throwables {

    private static final int MAX_CAUSES = 5;

    private Throwables() {}

    /** Class and message of the error and of its causes, and the place where the innermost was thrown. */
    static String describe(Throwable error) {
        StringBuilder text = new StringBuilder();
        Throwable innermost = error;
        @Nullable Throwable current = error;
        for (int i = 0; current != null && i < MAX_CAUSES; i++) {
            if (i > 0) {
                text.append(", caused by ");
            }
            text.append(describeOne(current));
            innermost = current;
            current = current.getCause();
        }
        StackTraceElement[] trace = innermost.getStackTrace();
        if (trace.length > 0) {
            text.append(" (at ").append(trace[0]).append(')');
        }
        return text.toString();
    }

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

    private static String describeOne(Throwable error) {
        String name = error.getClass().getName();
        try {
            String message = error.getMessage();
            return message == null ? name : name + ": " + message;
        } catch (RuntimeException | LinkageError broken) {
            // getMessage() may be a plugin's own code.
            return name;
        }
    }
}
