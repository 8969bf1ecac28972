package dev.sro.core.recipe;

import dev.sro.api.InvalidRecipeException;
import dev.sro.api.Problem;
import dev.sro.core.plugin.PluginRejection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls on the caller's thread and turns what is thrown into a {@link RecipeFailure}. Thread-safe. */
final class DirectGuard implements PluginGuard {

    private final PluginFailures failures;

    DirectGuard(PluginFailures failures) {
        this.failures = failures;
    }

    @Override
    public <T> T call(String plugin, ClassLoader loader, String what, Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            T result = call.get();
            if (result == null) {
                throw new RecipeFailure(
                        Problem.vendor("PluginError", "plugin " + plugin + " returned null from " + what));
            }
            return result;
        } catch (RecipeFailure e) {
            throw e;
        } catch (InvalidRecipeException e) {
            throw new RecipeFailure(Problem.user("InvalidRecipe", "plugin " + plugin + ": " + e.getMessage()), e);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw new RecipeFailure(problem(plugin, loader, what, e), e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Who reads it knows no Java; the names of what was thrown, and where, are in the log. */
    Problem problem(String plugin, ClassLoader loader, String what, @Nullable Throwable thrown) {
        failures.threw(plugin, loader, what, thrown);
        return Problem.vendor(
                "PluginError",
                "plugin " + plugin + " failed in " + what + ": " + why(thrown)
                        + "; the log of the operator has more, which its vendor needs");
    }

    private static String why(@Nullable Throwable thrown) {
        if (thrown instanceof StackOverflowError) {
            return "its calls are nested too deeply";
        }
        if (thrown instanceof LinkageError) {
            return "it lacks code that it was built with, or has it in another version. Fix: "
                    + PluginRejection.CLASS_MISSING_FIX;
        }
        String message = thrown == null ? null : message(thrown);
        return message == null || message.isBlank() ? "an error without a message" : message.strip();
    }

    /** It may be a plugin's own code. */
    private static @Nullable String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (RuntimeException | LinkageError broken) {
            return null;
        }
    }
}
