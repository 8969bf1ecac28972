package dev.sro.testkit.server;

import java.util.regex.Pattern;

/** The old form of a watch: a path with {@code watch} after the version. Stateless. */
final class LegacyWatch {
    private static final Pattern PATH = Pattern.compile("/(api|apis/[^/]+)/[^/]+/watch/.+");

    private LegacyWatch() {}

    static boolean is(String path) {
        return PATH.matcher(path).matches();
    }
}
