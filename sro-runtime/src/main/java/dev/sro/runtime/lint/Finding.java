package dev.sro.runtime.lint;

import java.util.Locale;

/**
 * Something in a recipe that is worth a look. Immutable.
 *
 * @param severity how bad it is
 * @param code of docs/admins/recipes.md, or of a problem
 * @param where object, template with line, or field; empty for the special resource as a whole
 * @param message what is wrong and why
 * @param fix what to do; empty when the message says so
 */
record Finding(Severity severity, String code, String where, String message, String fix) {

    enum Severity {
        /** It will not work. */
        ERROR,
        /** It works, and probably not as it is meant. */
        WARNING,
        /** Good to know. */
        NOTE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding error(String code, String where, String message, String fix) {
        return new Finding(Severity.ERROR, code, where, message, fix);
    }

    static Finding warning(String code, String where, String message, String fix) {
        return new Finding(Severity.WARNING, code, where, message, fix);
    }

    static Finding note(String code, String where, String message, String fix) {
        return new Finding(Severity.NOTE, code, where, message, fix);
    }
}
