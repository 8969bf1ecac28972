package dev.sro.api;

import java.util.regex.Pattern;

/**
 * A file on a node that says that something is done there: who did it leaves the file, who builds upon it waits for it in an init
 * container ({@link BarrierWait}), in states with {@link Reach.ByOwnBarrier}. So the order on a node needs nobody but its kubelet.
 *
 * <p>The directory has to be one that is empty after a boot, so that no barrier tells of the boot before: below {@code /run}. Immutable.
 *
 * @param path absolute, on the host
 * @param says the one line that the file has: what exactly is done, such as which driver is loaded, so that nobody who needs another one
 *     goes ahead. Empty where the file itself says all
 * @since 0.1.0
 */
public record NodeBarrier(String path, String says) {

    /** Readable for a shell without quotes, and no more than a line. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._:@/-]{0,255}");

    private static final Pattern PATH = Pattern.compile("/run(/[A-Za-z0-9._-]+){2,}");

    private static final String OURS = "/run/sro/barriers/";

    /** Checks both. */
    public NodeBarrier {
        Checks.require(
                PATH.matcher(path).matches() && !(path + "/").contains("/../"),
                "NodeBarrier.path",
                "\"" + path
                        + "\" must be a file in a directory of its own below /run, which a boot empties, of letters,"
                        + " digits, dots, dashes and underscores");
        Checks.require(
                WORD.matcher(says).matches(),
                "NodeBarrier.says",
                "\"" + says + "\" must be one word of letters, digits and ._:@/- with at most 255 characters");
    }

    /**
     * A barrier of a special resource, {@code /run/sro/barriers/<specialResource>/<name>}, that says nothing more.
     *
     * @param specialResource its name
     * @param name DNS label
     */
    public static NodeBarrier of(String specialResource, String name) {
        Checks.dnsLabel("NodeBarrier.name", name);
        return new NodeBarrier(OURS + specialResource + "/" + name, "");
    }

    /** The same file, with this word in it. */
    public NodeBarrier saying(String word) {
        return new NodeBarrier(path, word);
    }

    /** The directory that pods mount: a file cannot be mounted before it is there. */
    public String directory() {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** Name of the file in its directory. */
    public String file() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** A condition for a POSIX shell in which the directory is mounted under its own path: the barrier is open. */
    public String isOpen() {
        return says.isEmpty()
                ? "[ -f " + path + " ]"
                : "{ read -r said < " + path + " && [ \"$said\" = " + says + " ]; } 2> /dev/null";
    }

    /** The same for both of them, and what they say is the same, whatever it is: one was opened for the other as it is now. */
    public String isOpenFor(NodeBarrier other) {
        return "{ read -r said < " + path + " && read -r other < " + other.path
                + " && [ \"$said\" = \"$other\" ]; } 2> /dev/null";
    }
}
