package dev.sro.agent.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The root of another system, that of the host or of a driver's container, as mounted here. Links are followed as that system follows
 * them: an absolute one begins at this root, and none leads out of it. Thread-safe.
 */
public final class ForeignRoot {
    /** As many as the kernel follows. */
    private static final int MOST_LINKS = 40;

    private final Path directory;

    /** With what is mounted here as its root. */
    public ForeignRoot(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    /**
     * Where something really is: without links, and relative to the root.
     *
     * @param path in that system, absolute or relative to the root
     * @return empty if it is not there, or if links go round in circles
     */
    public Optional<Path> real(String path) {
        Deque<String> rest = new ArrayDeque<>(List.of(path.split("/")));
        List<String> real = new ArrayList<>();
        int links = 0;
        while (!rest.isEmpty()) {
            String name = rest.pop();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                if (!real.isEmpty()) {
                    real.remove(real.size() - 1);
                }
                continue;
            }
            real.add(name);
            Path here = here(path(real));
            if (Files.isSymbolicLink(here)) {
                String target = target(here);
                if (target.isEmpty() || ++links > MOST_LINKS) {
                    return Optional.empty();
                }
                if (target.startsWith("/")) {
                    real.clear();
                } else {
                    real.remove(real.size() - 1);
                }
                push(rest, target);
            }
        }
        return Optional.of(path(real)).filter(found -> Files.exists(here(found), LinkOption.NOFOLLOW_LINKS));
    }

    private static Path path(List<String> names) {
        return Path.of(String.join("/", names));
    }

    private static void push(Deque<String> rest, String target) {
        String[] names = target.split("/");
        for (int i = names.length - 1; i >= 0; i--) {
            rest.push(names[i]);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            // It went in this moment.
            return "";
        }
    }

    /** The same if it is a file. */
    public Optional<Path> realFile(String path) {
        return real(path).filter(found -> Files.isRegularFile(here(found), LinkOption.NOFOLLOW_LINKS));
    }

    /** Where something that {@link #real} found is to be read here. */
    public Path here(Path real) {
        return directory.resolve(real);
    }

    /** The names in a directory, sorted; none if it is not there or cannot be read. */
    public List<String> names(String path) {
        Optional<Path> real = real(path);
        if (real.isEmpty()) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(here(real.get()))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** When names in the directory last came or went; 0 if it is not there. */
    public long changed(String path) {
        try {
            Optional<Path> real = real(path);
            return real.isPresent()
                    ? Files.getLastModifiedTime(here(real.get())).toMillis()
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
