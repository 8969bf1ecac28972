package dev.sro.core.build;

import dev.sro.api.driver.SignPlan;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes and rewrites Dockerfiles. Stateless. */
final class Dockerfiles {

    /** Where a Secret is while an image is built, as Kernel Module Management has it. */
    static final String SECRETS = "/run/secrets/";

    private static final Pattern INSTRUCTION = Pattern.compile("^(\\s*)([A-Za-z]+)(\\s+.*|\\s*)$", Pattern.DOTALL);
    private static final Pattern HEREDOC =
            Pattern.compile("(?:^|\\s)\\d*<<-?([\"']?)([A-Za-z_][A-Za-z0-9_]*)\\1(?=[\\s;&|>]|$)");
    private static final Pattern ESCAPE =
            Pattern.compile("^#\\s*escape\\s*=\\s*([\\\\`])\\s*$", Pattern.CASE_INSENSITIVE);
    private static final Pattern PATTERN_CHARACTERS = Pattern.compile("[*?]");

    private Dockerfiles() {}

    /**
     * The Dockerfile with the Secrets mounted in each RUN, for a builder that does not run them in its own file system.
     *
     * @param secrets names; each is there as the build context of the name that {@link #context} gives
     */
    static String withSecrets(String dockerfile, List<String> secrets) {
        if (secrets.isEmpty()) {
            return dockerfile;
        }
        StringBuilder mounts = new StringBuilder();
        for (String secret : secrets) {
            mounts.append(" --mount=type=bind,from=")
                    .append(context(secret))
                    .append(",target=")
                    .append(SECRETS)
                    .append(secret);
        }
        return new Rewriting(mounts.toString()).of(dockerfile);
    }

    /** Name of the build context with the files of a Secret. */
    static String context(String secret) {
        return "sro-secret-" + secret;
    }

    /** Goes over a Dockerfile line by line: only what begins an instruction is one. */
    private static final class Rewriting {
        private final String mounts;
        private final StringBuilder out = new StringBuilder();
        private final List<String> heredocs = new ArrayList<>();
        private String escape = "\\";
        private boolean continued;
        private boolean directives = true;

        Rewriting(String mounts) {
            this.mounts = mounts;
        }

        String of(String dockerfile) {
            String[] lines = dockerfile.split("\n", -1);
            for (int i = 0; i < lines.length; i++) {
                out.append(line(lines[i])).append(i < lines.length - 1 ? "\n" : "");
            }
            return out.toString();
        }

        private String line(String line) {
            String stripped = line.strip();
            if (!heredocs.isEmpty()) {
                if (stripped.equals(heredocs.get(0))) {
                    heredocs.remove(0);
                }
                return line;
            }
            Matcher directive = ESCAPE.matcher(stripped);
            if (directives && directive.matches()) {
                escape = directive.group(1);
            }
            directives &= stripped.startsWith("#");
            if (stripped.startsWith("#") || (continued && stripped.isEmpty())) {
                return line;
            }
            boolean begins = !continued;
            continued = stripped.endsWith(escape);
            Matcher instruction = INSTRUCTION.matcher(line);
            String word = begins && instruction.matches() ? instruction.group(2).toUpperCase(Locale.ROOT) : "";
            if (word.equals("RUN") || word.equals("COPY") || word.equals("ADD") || !begins) {
                Matcher heredoc = HEREDOC.matcher(line);
                while (heredoc.find()) {
                    heredocs.add(heredoc.group(2));
                }
            }
            return word.equals("RUN")
                    ? instruction.group(1) + instruction.group(2) + mounts + instruction.group(3)
                    : line;
        }
    }

    /** A Dockerfile that makes an image with signed files of one without; the images are its arguments. */
    static String signing(SignPlan plan) {
        Set<String> sources = new LinkedHashSet<>();
        StringBuilder files = new StringBuilder();
        for (String file : plan.files()) {
            sources.add(source(file));
            files.append(' ').append(ROOT).append(file);
        }
        StringBuilder text = new StringBuilder();
        text.append("ARG UNSIGNED_IMAGE\nARG SIGN_IMAGE\n");
        text.append("FROM $UNSIGNED_IMAGE AS unsigned\n");
        text.append("FROM $SIGN_IMAGE AS signer\n");
        text.append("USER 0\n");
        sources.forEach(source -> text.append("COPY --from=unsigned ")
                .append(source)
                .append(' ')
                .append(ROOT)
                .append(source)
                .append('\n'));
        text.append(SCRIPT.formatted(
                files, plan.hash(), SECRETS + plan.keySecret() + "/key", SECRETS + plan.certSecret() + "/cert"));
        text.append("FROM unsigned\n");
        text.append("COPY --from=signer ").append(ROOT).append("/ /\n");
        return text.toString();
    }

    /** Where the signer has the files of the image. */
    private static final String ROOT = "/sro-signed";

    /** A signature belongs to the module as the kernel sees it, so what is compressed is not so while it is signed. */
    private static final String SCRIPT = """
        RUN set -eu; \\
            tool=/usr/local/bin/sign-file; \\
            [ -x "$tool" ] || tool="$(find /usr/src /usr/lib/linux-kbuild-* -path '*/scripts/sign-file' -type f 2> /dev/null \\
                | head -n 1)"; \\
            [ -n "$tool" ] || { echo "the image that signs has no sign-file" >&2; exit 1; }; \\
            for file in%1$s; do \\
              [ -f "$file" ] || { echo "the unsigned image has no ${file#/sro-signed}" >&2; exit 1; }; \\
              case "$file" in \\
                *.xz) xz -d "$file"; module="${file%%.xz}" ;; \\
                *.gz) gzip -d "$file"; module="${file%%.gz}" ;; \\
                *.zst) zstd -q -d --rm "$file"; module="${file%%.zst}" ;; \\
                *) module="$file" ;; \\
              esac; \\
              "$tool" %2$s %3$s %4$s "$module"; \\
              case "$file" in \\
                *.xz) xz --check=crc32 --lzma2=dict=1MiB "$module" ;; \\
                *.gz) gzip "$module" ;; \\
                *.zst) zstd -q --rm "$module" ;; \\
              esac; \\
            done
        """;

    /** What is copied for a file: itself, or for a pattern the directory in which it begins. */
    private static String source(String file) {
        Matcher pattern = PATTERN_CHARACTERS.matcher(file);
        return pattern.find() ? file.substring(0, file.lastIndexOf('/', pattern.start()) + 1) : file;
    }
}
