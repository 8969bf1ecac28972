package dev.sro.runtime.bundle.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.GoTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The validators of the Operator Framework, as a command, which our check is compared with. Immutable. */
final class FrameworkValidator {

    private final Path command;

    private FrameworkValidator(Path command) {
        this.command = command;
    }

    static boolean isHere() {
        return find().isPresent();
    }

    static Optional<FrameworkValidator> find() {
        return GoTool.find("bundle-validator").map(FrameworkValidator::new);
    }

    /**
     * A finding of theirs.
     *
     * @param isError whether the bundle is refused, or somebody warned
     */
    record Finding(boolean isError, String text) {}

    /** The findings by folder; a folder of which nothing is to be said has an empty list. */
    Map<Path, List<Finding>> validate(Collection<Path> bundles, Path work) throws IOException, InterruptedException {
        Map<Path, List<Finding>> found = new TreeMap<>();
        List<String> arguments = new ArrayList<>(List.of(command.toString()));
        for (Path bundle : bundles) {
            assertThat(bundle.toString()).doesNotContain(" ");
            found.put(bundle, new ArrayList<>());
            arguments.add(bundle.toString());
        }
        Path out = Files.createTempFile(work, "findings", "");
        Process process = new ProcessBuilder(arguments)
                .redirectOutput(out.toFile())
                .redirectError(Files.createTempFile(work, "log", "").toFile())
                .start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isIn(0, 1);
        for (String line : Files.readAllLines(out)) {
            String[] words = line.split("\t", 3);
            assertThat(words).as(line).hasSize(3);
            boolean error = words[0].equals("Error");
            Objects.requireNonNull(found.get(Path.of(words[1])), line).add(new Finding(error, words[2]));
        }
        return found;
    }
}
