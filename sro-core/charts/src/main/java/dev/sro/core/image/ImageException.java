package dev.sro.core.image;

import java.io.IOException;
import java.io.Serial;

/** An image cannot be had, and why; the message says of each place why not. */
public final class ImageException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String why;

    /** Why an image cannot be had. In order: of several places the one that says most counts. */
    public enum Kind {
        /** The registry says that there is no such image. */
        NOT_FOUND,
        /** There is one, but not for this architecture. */
        OTHER_ARCHITECTURE,
        /** The registry wants another login (HTTP 401 or 403). */
        DENIED,
        /** There is no answer, or none from which to tell: the image may be there. */
        UNREACHABLE
    }

    ImageException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.why = message;
    }

    /** With what is said where the image is named already. */
    private ImageException(Kind kind, String message, String why) {
        super(message);
        this.kind = kind;
        this.why = why;
    }

    static ImageException unreadable(Kind kind, ImageReference image, String why) {
        return new ImageException(kind, image + " cannot be read: " + why, why);
    }

    ImageException(Kind kind, String message) {
        this(kind, message, message);
    }

    /** The reason alone, for a message that names the image itself. */
    public String why() {
        return why;
    }

    /** Why. */
    public Kind kind() {
        return kind;
    }
}
