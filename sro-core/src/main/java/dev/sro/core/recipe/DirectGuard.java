package dev.sro.core.recipe;

import dev.sro.api.InvalidRecipeException;
import dev.sro.api.Problem;
import java.util.function.Supplier;

/** Calls on the caller's thread and turns what is thrown into a {@link RecipeFailure}. Thread-safe. */
final class DirectGuard implements PluginGuard {

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
            throw new RecipeFailure(
                    Problem.vendor("PluginError", "plugin " + plugin + " failed in " + what + ": " + e), e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
