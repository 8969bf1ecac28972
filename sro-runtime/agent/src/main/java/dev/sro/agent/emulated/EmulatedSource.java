package dev.sro.agent.emulated;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/** The file of emulated devices, looked at again, so that a person makes GPUs ill by editing it. For one thread. */
public final class EmulatedSource {
    private final Path file;
    private final String node;
    private Optional<FileTime> seen = Optional.empty();

    /** Nothing is read yet. */
    public EmulatedSource(Path file, String node) {
        this.file = file;
        this.node = node;
    }

    /**
     * Reads it.
     *
     * @throws InputException with every error in it
     */
    public EmulatedNode read() {
        seen = time();
        return EmulatedFile.read(InputDocument.read(file), Catalogue.builtin(), node);
    }

    /** What it says, if it was changed since it was read; a wrong one is passed over. */
    public Optional<EmulatedNode> ifChanged() {
        if (time().equals(seen)) {
            return Optional.empty();
        }
        try {
            return Optional.of(read());
        } catch (InputException e) {
            return Optional.empty();
        }
    }

    private Optional<FileTime> time() {
        try {
            return Optional.of(Files.getLastModifiedTime(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
