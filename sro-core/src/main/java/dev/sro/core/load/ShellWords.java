package dev.sro.core.load;

import java.util.Collection;
import java.util.stream.Collectors;

/** Words of a POSIX shell. Stateless. */
final class ShellWords {

    private ShellWords() {}

    /**
     * The text as one word that means nothing but itself: in single quotes, within which the shell knows no special character.
     *
     * @throws IllegalArgumentException if it contains the character NUL, which no argument of a process can
     */
    static String quote(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a shell word cannot contain the character NUL");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** Quoted words with spaces between them. */
    static String quote(Collection<String> texts) {
        return texts.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }
}
