package dev.sro.runtime;

import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * A command that another jar adds to the command line: a class with picocli's {@code @Command}, public, with a public constructor without
 * arguments, that {@code META-INF/services} of its jar names. Its result is the exit code. One thread calls it, once.
 */
public interface AddedCommand extends Callable<Integer> {

    /** The classes of all that are on the class path. Looks into each of its jars, so only where a command of these may be meant. */
    static Stream<Class<? extends AddedCommand>> types() {
        return ServiceLoader.load(AddedCommand.class, AddedCommand.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::type);
    }
}
