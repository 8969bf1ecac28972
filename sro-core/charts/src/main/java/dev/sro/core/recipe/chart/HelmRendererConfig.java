package dev.sro.core.recipe.chart;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How the process in which Helm runs is kept. Immutable.
 *
 * @param directory where it may write: 100 MB for the native library, and charts while they are rendered. Empty for
 *     {@code java.io.tmpdir}. A directory that a killed process left behind is deleted
 * @param deadline how long rendering a chart may take
 * @param idle after how long without a chart the process ends
 * @param memoryMiB how much memory the process may have; checked on Linux
 * @param renders after how many charts a new process takes over, because Helm's library leaks a little with each
 * @param classPath jars for it; empty for those that the running classes came from; where a launcher packed them into a jar, they are
 *     unpacked
 * @param command the command {@code helm}, to be used instead of Helm's library; empty for the library, and for the {@code helm} of
 *     {@code path} where helm-java has none for this machine
 * @param path folders in which {@code helm} is looked for, as the variable PATH has them
 */
public record HelmRendererConfig(
        Optional<Path> directory,
        Duration deadline,
        Duration idle,
        int memoryMiB,
        int renders,
        List<Path> classPath,
        Optional<Path> command,
        String path) {

    /** What suits an operator in a container: memory is what the container has beside this process, at most 768 MiB. */
    public static final HelmRendererConfig DEFAULT = new HelmRendererConfig(
            Optional.empty(),
            Duration.ofSeconds(30),
            Duration.ofMinutes(10),
            HelmMemory.here(),
            2_000,
            List.of(),
            Optional.empty(),
            Objects.requireNonNullElse(System.getenv("PATH"), ""));

    /** Copies. */
    public HelmRendererConfig {
        classPath = List.copyOf(classPath);
    }

    /** The same with this command. */
    public HelmRendererConfig withCommand(Path helm) {
        return new HelmRendererConfig(
                directory, deadline, idle, memoryMiB, renders, classPath, Optional.of(helm), path);
    }
}
