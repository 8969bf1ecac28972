package dev.sro.core.image;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The name of an image. Immutable.
 *
 * @param host of the registry with its port, if there is one: {@code quay.io}, {@code registry.local:5000}
 * @param path of the repository: {@code openshift/driver}
 * @param tag empty where there is only a digest
 * @param digest {@code sha256:…}; empty where there is none. It goes before the tag
 */
public record ImageReference(String host, String path, String tag, String digest) {

    /** The registry of names without one, and under which folder its own images are. */
    private static final String DOCKER = "docker.io";

    private static final String LIBRARY = "library/";

    /** From the distribution specification, 1.1, and the reference grammar of its implementation. */
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9a-fA-F:]+])(:\\d{1,5})?");

    private static final Pattern PATH =
            Pattern.compile("[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*)*");

    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}");

    /**
     * The reference in the text, completed as container runtimes do: {@code docker.io}, {@code library/}, {@code latest}.
     *
     * @throws IllegalArgumentException if it is none; the message says what is wrong with it
     */
    public static ImageReference parse(String text) {
        String rest = text.strip().replaceFirst("^docker://", "");
        String digest = "";
        int at = rest.indexOf('@');
        if (at >= 0) {
            digest = rest.substring(at + 1);
            rest = rest.substring(0, at);
            require(DIGEST.matcher(digest).matches(), text, "the digest after @ is none");
        }
        int slash = rest.indexOf('/');
        String first = slash < 0 ? "" : rest.substring(0, slash);
        boolean named = first.matches(".*[.:\\[].*")
                || first.equals("localhost")
                || !first.equals(first.toLowerCase(Locale.ROOT));
        String host = named ? first : DOCKER;
        String path = named ? rest.substring(slash + 1) : rest;
        String tag = "";
        int colon = path.lastIndexOf(':');
        if (colon >= 0) {
            tag = path.substring(colon + 1);
            path = path.substring(0, colon);
            require(TAG.matcher(tag).matches(), text, "the tag \"" + tag + "\" is none");
        }
        require(HOST.matcher(host).matches(), text, "\"" + host + "\" is no host");
        if (host.equals("index." + DOCKER)) {
            host = DOCKER;
        }
        if (host.equals(DOCKER) && path.indexOf('/') < 0) {
            path = LIBRARY + path;
        }
        require(PATH.matcher(path).matches(), text, "\"" + path + "\" is no name of a repository");
        return new ImageReference(host, path, tag.isEmpty() && digest.isEmpty() ? "latest" : tag, digest);
    }

    private static void require(boolean holds, String text, String why) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no image: " + why + "; it looks like HOST:PORT/FOLDER/NAME:TAG@DIGEST");
        }
    }

    /** Without tag and digest. */
    public String repository() {
        return host + "/" + path;
    }

    /** The digest, or the tag where there is none. */
    public String version() {
        return digest.isEmpty() ? tag : digest;
    }

    @Override
    public String toString() {
        return repository() + (tag.isEmpty() ? "" : ":" + tag) + (digest.isEmpty() ? "" : "@" + digest);
    }
}
