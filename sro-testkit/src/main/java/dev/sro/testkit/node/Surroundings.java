package dev.sro.testkit.node;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the environment says of machines for tests. Immutable.
 *
 * @param variables of the process
 */
record Surroundings(Map<String, String> variables) {
    Surroundings {
        variables = Map.copyOf(variables);
    }

    /** A variable without white space around it; empty if it is not set. */
    String setting(String name) {
        return variables.getOrDefault(name, "").trim();
    }

    /**
     * Whether a test that cannot run has to fail.
     *
     * @param name of the variable that says so
     * @throws RealNodeException if that has another word than two
     */
    boolean isRequired(String name) {
        String mode = setting(name);
        if (!mode.isEmpty() && !mode.equals("required") && !mode.equals("auto")) {
            throw new RealNodeException(name + " is auto or required, not " + mode);
        }
        return mode.equals("required");
    }

    /** Whether there is a program on the PATH or in one of some further folders. */
    boolean isOnPath(String program, String... further) {
        return Stream.concat(Arrays.stream(setting("PATH").split(":")), Arrays.stream(further))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
