package dev.sro.core.engine.port;

import java.io.IOException;

/** Port: reads logs of containers. Implementations are thread-safe and may block. */
@FunctionalInterface
public interface LogReader {

    /** Lines that are asked for at most, counted from the end. */
    int MAX_LINES = 200;

    /** Bytes that are read at most: more than so many lines usually have. */
    int MAX_BYTES = 64 * 1024;

    /** A reader of an operator that has none. */
    LogReader NONE = (namespace, pod, container) -> {
        throw new IOException("this operator was built without a reader of logs");
    };

    /**
     * The end of the log of a container: its last {@link #MAX_LINES} lines, and of these the first {@link #MAX_BYTES} bytes.
     *
     * @throws ForbiddenException if SRO may not
     * @throws IOException if there is none now
     */
    String tail(String namespace, String pod, String container) throws IOException;

    /** SRO's service account lacks the right. */
    final class ForbiddenException extends IOException {
        private static final long serialVersionUID = 1L;

        /** With the API server's words. */
        public ForbiddenException(String message) {
            super(message);
        }
    }
}
