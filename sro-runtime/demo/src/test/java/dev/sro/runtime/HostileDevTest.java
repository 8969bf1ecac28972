package dev.sro.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hostile strings in what {@code sro dev} and {@code sro new} read; {@link HostileInputsTest} has the other commands. */
class HostileDevTest {

    @TempDir
    private Path folder;

    @Test
    void whatIsTriedAtHome() throws IOException {
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            Map<String, String> documents = HostileFiles.documents();
            String[] words = {"dev", "--plain", "--for-seconds", "1", "-f", "cr.yaml", "--nodes", "nodes.yaml"};
            for (int i = 0; i < words.length; i++) {
                String yaml = documents.get(words[i]);
                if (yaml != null) {
                    words[i] = Files.writeString(
                                    folder.resolve(seed + "-" + words[i]),
                                    HostileStrings.JSON.writeValueAsString(
                                            HostileStrings.changed(HostileFiles.list(yaml), random)))
                            .toString();
                }
            }
            HostileStrings.isText(Cli.run(words), String.join(" ", words));
        }
    }

    @Test
    void wordsForANewProject() {
        Random random = new Random(1);
        List<String> options = List.of("--pci", "--resource", "--plugin", "--group", "--package");
        for (int i = 0; i < HostileStrings.ALL.size(); i++) {
            List<String> words =
                    new ArrayList<>(List.of("new", folder.resolve("project" + i).toString()));
            words.add("--vendor=" + HostileStrings.anyWord(random));
            if (i % 2 == 0) {
                options.forEach(option -> words.add(option + "=" + HostileStrings.anyWord(random)));
            }
            HostileStrings.isText(Cli.run(words.toArray(String[]::new)), String.join(" ", words));
        }
    }
}
