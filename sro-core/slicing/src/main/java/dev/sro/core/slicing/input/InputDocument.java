package dev.sro.core.slicing.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * One YAML 1.2 or JSON document (every JSON text is YAML 1.2) whose fields know where they stand. Errors are collected while
 * fields are read; {@link #check()} throws them together. Not thread-safe.
 */
public final class InputDocument {
    /** Largest text, in characters: a fleet of a million devices fits. */
    private static final int MAX_CHARACTERS = 512 * 1024 * 1024;

    /** The limit of aliases; files of this kind need next to none. */
    private static final int MAX_ALIASES = 50;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setUseMarks(true)
            .setCodePointLimit(MAX_CHARACTERS)
            .setMaxAliasesForCollections(MAX_ALIASES)
            .build();

    private final String source;
    private final InputField root;
    private final List<Problem> problems = new ArrayList<>();
    private boolean words;

    private record Problem(int line, String path, String text) {}

    private InputDocument(String source, Node node) {
        this.source = source;
        this.root = new InputField(this, "", node);
    }

    /**
     * Reads a file in UTF-8.
     *
     * @throws InputException if it cannot be read or is not one document
     */
    public static InputDocument read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new InputException(List.of(file + ": no such file"));
        } catch (CharacterCodingException e) {
            throw new InputException(List.of(file + ": not a text in UTF-8"));
        } catch (IOException e) {
            throw new InputException(List.of(file + ": cannot be read: " + e.getMessage()));
        }
    }

    /**
     * Parses a text.
     *
     * @param source what errors call it
     * @throws InputException if the text is not one document
     */
    public static InputDocument parse(String source, String text) {
        try {
            Optional<Node> node = new Compose(SETTINGS).composeString(text);
            return new InputDocument(
                    source, node.orElseThrow(() -> new InputException(List.of(source + ":1: the file is empty"))));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new InputException(List.of(source + ":" + line + ": not valid YAML or JSON: " + e.getProblem()));
        } catch (YamlEngineException e) {
            throw new InputException(List.of(source + ": not valid YAML or JSON: " + e.getMessage()));
        }
    }

    /**
     * This, with names and values that are words on one line: control characters and ends of lines are errors from now on. For files of which names
     * are shown to people, as they would begin lines, or give orders to a terminal.
     */
    public InputDocument ofWords() {
        words = true;
        return this;
    }

    boolean isOfWords() {
        return words;
    }

    /** The name of this document in errors. */
    public String source() {
        return source;
    }

    /** The whole document. */
    public InputField root() {
        return root;
    }

    /** The findings so far, in the order of lines. */
    public List<String> errors() {
        return problems.stream()
                .sorted(Comparator.comparingInt(Problem::line))
                .map(Problem::text)
                .toList();
    }

    /**
     * Ends reading.
     *
     * @throws InputException with all that was found, if anything was
     */
    public void check() {
        if (!problems.isEmpty()) {
            throw new InputException(errors());
        }
    }

    boolean hasProblem(String path, int firstLine, int lastLine) {
        return problems.stream()
                .anyMatch(problem ->
                        problem.path().startsWith(path) && problem.line() >= firstLine && problem.line() <= lastLine);
    }

    void add(String path, Optional<Integer> line, String what) {
        String where = line.map(number -> source + ":" + number).orElse(source);
        problems.add(new Problem(line.orElse(0), path, where + ": " + (path.isEmpty() ? "" : path + ": ") + what));
    }
}
