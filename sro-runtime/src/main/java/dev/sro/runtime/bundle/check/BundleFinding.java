package dev.sro.runtime.bundle.check;

/**
 * What is wrong with a bundle. Immutable.
 *
 * @param rule of docs/reference/bundle.md
 * @param isError whether tools refuse it; a warning otherwise
 * @param where file, and field where it is about one
 * @param message what is wrong, and the fix
 */
public record BundleFinding(String rule, boolean isError, String where, String message) {

    /** One line for people. */
    @Override
    public String toString() {
        return (isError ? "error: " : "warning: ") + where + ": " + message + " [" + rule + "]";
    }
}
