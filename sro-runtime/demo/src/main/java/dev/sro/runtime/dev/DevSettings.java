package dev.sro.runtime.dev;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The options of {@code sro dev}. Immutable.
 *
 * @param files special resources, and whatever else is to be in the cluster
 * @param nodes a file with nodes; empty for two that the special resources select
 * @param charts folders and archives of charts that take the place of those of their names in repositories
 * @param openShift whether the cluster serves OpenShift's APIs
 * @param noOperator whether the operator is somebody else's
 * @param missing globs of images that nobody has pushed
 * @param logs what containers print
 * @param speed how many seconds pass in the cluster in each of ours
 * @param port 0 for any free one
 * @param kubeconfig where it is written; empty for a temporary file
 * @param untilReady whether to end when all special resources are ready
 * @param limit when to end at the latest
 * @param plain whether to print a line for each change instead of one that is painted over
 */
record DevSettings(
        List<Path> files,
        Optional<Path> nodes,
        List<Path> charts,
        boolean openShift,
        boolean noOperator,
        List<String> missing,
        List<String> logs,
        double speed,
        int port,
        Optional<Path> kubeconfig,
        boolean untilReady,
        Optional<Duration> limit,
        boolean plain) {

    DevSettings {
        files = List.copyOf(files);
        charts = List.copyOf(charts);
        missing = List.copyOf(missing);
        logs = List.copyOf(logs);
    }
}
