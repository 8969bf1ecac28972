package dev.sro.core.recipe.gotemplate;

import java.io.Serial;

/**
 * A template that is wrong, or that cannot be executed with its data. The message says where and what, and is meant
 * for the template's author.
 */
public final class TemplateException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Position position;
    private final String detail;

    TemplateException(Position position, String detail) {
        super(position + ": " + detail);
        this.position = position;
        this.detail = detail;
    }

    TemplateException(Position position, String detail, Throwable cause) {
        super(position + ": " + detail, cause);
        this.position = position;
        this.detail = detail;
    }

    /** Where in the template. */
    public Position position() {
        return position;
    }

    /** The message without the position. */
    public String detail() {
        return detail;
    }
}
