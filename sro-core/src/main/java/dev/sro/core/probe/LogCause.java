package dev.sro.core.probe;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line of a log that says why something ended badly. The last one seldom does after a compiler: make, the shell and the builder
 * all report behind it that something failed. Immutable.
 *
 * @param line without the prefixes of BuildKit; empty if the log has no line that says anything
 * @param fault whose it is
 */
public record LogCause(String line, Fault fault) {

    /** What it is about, which decides whether trying again can help. */
    public enum Fault {
        /** A compiler, a linker or make: equal sources fail again. */
        COMPILER,
        /** A registry or the network: another time it may work. */
        REACH,
        /** It does not say. */
        UNKNOWN
    }

    private static final int LONGEST = 300;

    /** {@code #12 5.123 } in the progress of BuildKit, {@code 5.123 } in its summary. */
    private static final Pattern PREFIX = Pattern.compile("^(?:#\\d+ )?(?:\\d+\\.\\d+ )?");

    private static final Pattern COMPILER = Pattern.compile(
            "^\\S+:\\d+(?::\\d+)?: (?:fatal )?error: .*|^ERROR: modpost: .*|^.*\\bundefined reference to .*");

    private static final Pattern MAKE = Pattern.compile("^make(?:\\[\\d+])?: \\*\\*\\* .*");

    /** Rules, excerpts of Dockerfiles, and frames of stack traces. */
    private static final Pattern IDLE = Pattern.compile(
            "^(?:-+|=+|>+ ?.*|\\d+ \\|.*|Dockerfile:\\d+|at \\S+\\(.*\\)|make(?:\\[\\d+])?: Leaving .*)$");

    /** A report of many lines: what failed, what a program said to that in lines of its own, and how that program ended. */
    private static final Pattern REPORT = Pattern.compile("^error: .*", Pattern.CASE_INSENSITIVE);

    private static final int LONGEST_REPORT = 8;

    private static final List<String> REACH = List.of(
            "i/o timeout",
            "connection refused",
            "connection reset by peer",
            "connection timed out",
            "network is unreachable",
            "no route to host",
            "no such host",
            "temporary failure",
            "could not resolve",
            "couldn't resolve",
            "tls handshake",
            "x509:",
            "toomanyrequests",
            "too many requests",
            "unauthorized",
            "authentication required",
            "failed to resolve source metadata",
            "failed to push",
            "failed to do request",
            "failed to fetch",
            "unexpected status from",
            "bad gateway",
            "service unavailable",
            "internal server error",
            "context deadline exceeded",
            "curl error",
            "unable to connect");

    /** Reads it out of a log, or of the end of one. */
    public static LogCause of(String log) {
        List<String> lines = log.lines()
                .map(String::strip)
                .map(line -> PREFIX.matcher(line).replaceFirst("").strip())
                .filter(line -> !line.isEmpty())
                .toList();
        for (String line : lines) {
            if (COMPILER.matcher(line).matches()) {
                return new LogCause(fit(line), Fault.COMPILER);
            }
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            String small = lines.get(i).toLowerCase(Locale.ROOT);
            if (REACH.stream().anyMatch(small::contains)) {
                return new LogCause(fit(lines.get(i)), Fault.REACH);
            }
        }
        for (String line : lines) {
            Matcher make = MAKE.matcher(line);
            if (make.matches()) {
                return new LogCause(fit(line), Fault.COMPILER);
            }
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (!IDLE.matcher(lines.get(i)).matches()) {
                return new LogCause(fit(report(lines, i)), Fault.UNKNOWN);
            }
        }
        return new LogCause("", Fault.UNKNOWN);
    }

    /** A line, with those that it only ends: BuildKit writes {@code : exit status 1} behind the words of a git that failed. */
    private static String report(List<String> lines, int last) {
        if (!lines.get(last).startsWith(": ")) {
            return lines.get(last);
        }
        for (int first = last - 1; first >= Math.max(0, last - LONGEST_REPORT); first--) {
            if (REPORT.matcher(lines.get(first)).matches()) {
                return String.join(" ", lines.subList(first, last)) + lines.get(last);
            }
        }
        return last == 0 ? lines.get(0) : lines.get(last - 1) + lines.get(last);
    }

    private static String fit(String line) {
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
