package dev.sro.runtime.slices;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What most commands read: catalogues by option, documents by path. */
final class Inputs {
    /** Stands for standard input. */
    private static final String STDIN = "-";

    @Option(
            names = "--catalogue",
            paramLabel = "FILE",
            description = "A catalogue file that goes before the built-in one; may be given more than once.")
    private List<Path> catalogues = new ArrayList<>();

    Catalogue catalogue() {
        Catalogue catalogue = Catalogue.builtin();
        for (Path file : catalogues) {
            catalogue = catalogue.with(Catalogue.read(file));
        }
        return catalogue;
    }

    static InputDocument document(Path file) {
        if (!file.toString().equals(STDIN)) {
            return InputDocument.read(file).ofWords();
        }
        try {
            return InputDocument.parse("standard input", new String(System.in.readAllBytes(), StandardCharsets.UTF_8))
                    .ofWords();
        } catch (IOException e) {
            throw new UnusableInputException("standard input", "cannot be read (" + e.getMessage() + ")");
        }
    }
}
